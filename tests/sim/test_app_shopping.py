"""Shopping: products and variants, cart, discount rules, stock, orders and their way."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sim.hand import Hand

from heron.errors import InputError

SHOP: dict[str, Any] = {
    "products": [
        {
            "name": "Desk lamp",
            "description": "Warm light, dimmable",
            "variants": [
                {"options": {"colour": "black"}, "price": 39.99, "stock": 3},
                {"options": {"colour": "white", "dimmable": True}, "price": 42.5},
            ],
        },
        {
            "name": "Tea towel",
            "variants": [{"options": {"size": "50 cm"}, "price": 4.25, "available": False}],
        },
    ],
    "discount_codes": [
        {"discount_code": "SPRING10", "percentage": 10, "minimum_total": 50},
        {"discount_code": "LAMP20", "item_percentages": {"s1": 20}},
        {"discount_code": "OLD5", "percentage": 5, "expires_at": "2026-03-10 09:00"},
        {"discount_code": "SOON5", "percentage": 5, "valid_from": "2026-03-10 10:00"},
        {"discount_code": "ONCE", "percentage": 50, "uses_left": 1},
    ],
    "orders": [
        {
            "order_status": "shipped",
            "order_date": "2026-03-08 12:00",
            "order_items": [{"item_id": "s2", "quantity": 2}],
            "order_total": 85.0,
            "expected_delivery": "2026-03-12",
        },
        {
            "order_status": "delivered",
            "order_date": "2026-02-01 12:00",
            "order_items": [{"item_id": "gone", "name": "Kettle", "quantity": 1, "price": 30}],
            "order_total": 30.0,
        },
    ],
}


@pytest.fixture
def hand() -> Hand:
    return Hand("shopping", SHOP)


def test_products_come_with_their_variants(hand: Hand) -> None:
    assert hand.shown("list_all_products") == ["k1", "s1", "s2", "k2", "s3"]
    assert hand.shown("list_all_products", offset=1, limit=5) == ["k2", "s3"]
    assert hand.shown("get_product_details", product_id="k1") == ["k1", "s1", "s2"]
    assert hand.call("list_all_products")["total"] == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lamp", ["k1"]),
        ("LAMP desk", ["k1"]),
        ("warm", ["k1"]),
        ("white", ["k1"]),
        ("50 cm", ["k2"]),
        ("sofa", []),
        ("", ["k1", "k2"]),
    ],
)
def test_assistant_and_user_search_alike(hand: Hand, query: str, found: list[str]) -> None:
    answer = hand.call("search_product", product_name=query)
    assert [offer["product"]["product_id"] for offer in answer["products"]] == found
    hand.open()
    hand.do("search", query=query)
    assert hand.refs("product") == found


def test_buying_empties_the_cart_and_takes_from_the_stock(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1", quantity=2)
    hand.call("add_to_cart", item_id="s2")
    assert hand.call("list_cart")["total"] == 122.48
    order = hand.call("checkout")
    assert order["order_total"] == 122.48
    assert order["order_status"] == "processed"
    assert order["order_date"] == "2026-03-10 09:00"
    assert order["expected_delivery"] == "2026-03-13"
    assert [
        (line["item_id"], line["quantity"], line["price"]) for line in order["order_items"]
    ] == [
        ("s1", 2, 39.99),
        ("s2", 1, 42.5),
    ]
    assert hand.call("list_cart") == {"items": [], "total": 0.0}
    left = [v["stock"] for v in hand.call("get_product_details", product_id="k1")["variants"]]
    assert left == [1, None]
    assert hand.shown("list_orders") == ["o3", "o1", "o2"]


def test_a_cart_that_was_loaded_with_too_many_is_not_bought() -> None:
    variant = {"price": 0.1, "in_cart": 1000}
    hand = Hand("shopping", {"products": [{"name": "Nail", "variants": [variant]}]})
    assert "1000 is too many" in hand.refused("checkout")
    assert hand.call("list_cart")["items"][0]["in_cart"] == 1000


def test_the_cart_adds_up_and_takes_away(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s2")
    assert hand.call("add_to_cart", item_id="s2", quantity=3)["in_cart"] == 4
    assert hand.call("remove_from_cart", item_id="s2")["in_cart"] == 3
    assert "only 3 of s2" in hand.refused("remove_from_cart", item_id="s2", quantity=4)
    assert hand.call("remove_from_cart", item_id="s2", quantity=3)["in_cart"] == 0
    assert "it holds nothing" in hand.refused("remove_from_cart", item_id="s2")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("add_to_cart", {"item_id": "s3"}, "s3 is out of stock"),
        ("add_to_cart", {"item_id": "s1", "quantity": 4}, "only 3 of s1 are in stock"),
        ("add_to_cart", {"item_id": "s1", "quantity": 0}, "quantity"),
        ("add_to_cart", {"item_id": "s1", "quantity": -1}, "quantity"),
        ("add_to_cart", {"item_id": "k1"}, "no item 'k1'"),
        ("add_to_cart", {"item_id": "s2", "quantity": 1000}, "quantity"),
        ("remove_from_cart", {"item_id": "s1"}, "s1 is not in the cart"),
        ("checkout", {}, "the cart is empty"),
        ("cancel_order", {"order_id": "o2"}, "o2 is delivered; only an order that is processed"),
        ("cancel_order", {"order_id": "o9"}, "no order 'o9'"),
        ("get_order_details", {"order_id": "o9"}, "there are o1, o2"),
        ("get_product_details", {"product_id": "k9"}, "no product 'k9'"),
        ("get_discount_code_info", {"discount_code": "NOPE"}, "there are: SPRING10, LAMP20"),
        ("list_all_products", {"offset": -1}, "offset"),
    ],
)
def test_what_is_refused_says_what_would_do(
    hand: Hand, tool: str, arguments: dict[str, Any], said: str
) -> None:
    assert said in hand.refused(tool, **arguments)


def test_what_is_in_the_cart_counts_against_the_stock(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1", quantity=2)
    assert "only 3 of s1" in hand.refused("add_to_cart", item_id="s1", quantity=2)


def test_999_of_a_variant_are_the_most(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s2", quantity=999)
    assert "up to 999" in hand.refused("add_to_cart", item_id="s2")


def test_stock_that_went_in_the_meantime_stops_the_checkout(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1", quantity=2)
    hand.happens("update_item", item_id="s1", new_stock=1)
    assert "only 1 of s1" in hand.refused("checkout")
    hand.happens("update_item", item_id="s1", new_availability=False)
    assert "out of stock" in hand.refused("checkout")


@pytest.mark.parametrize(
    ("cart", "code", "total"),
    [
        ({"s2": 2}, "SPRING10", 76.5),
        ({"s1": 3}, "LAMP20", 95.98),
        ({"s1": 1}, "ONCE", 20.0),
        ({"s2": 2}, " SPRING10 ", 76.5),
    ],
)
def test_a_code_takes_its_share_off(
    hand: Hand, cart: dict[str, int], code: str, total: float
) -> None:
    for item_id, quantity in cart.items():
        hand.call("add_to_cart", item_id=item_id, quantity=quantity)
    order = hand.call("checkout", discount_code=code)
    assert (order["order_total"], order["discount_code"]) == (total, code.strip())


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("SPRING10", "needs a total of 50.00; it is 39.99"),
        ("OLD5", "OLD5 expired at 2026-03-10 09:00"),
        ("SOON5", "valid from 2026-03-10 10:00"),
        ("NOPE", "check out without one"),
    ],
)
def test_a_code_whose_rules_are_not_met_is_refused(hand: Hand, code: str, said: str) -> None:
    hand.call("add_to_cart", item_id="s1")
    assert said in hand.refused("checkout", discount_code=code)


def test_a_code_must_be_for_all_that_is_in_the_cart(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1")
    hand.call("add_to_cart", item_id="s2")
    assert "LAMP20 is not for s2" in hand.refused("checkout", discount_code="LAMP20")


def test_a_code_for_one_use_is_used_up(hand: Hand) -> None:
    for _ in range(2):
        hand.call("add_to_cart", item_id="s2")
        if hand.call("get_discount_code_info", discount_code="ONCE")["uses_left"]:
            hand.call("checkout", discount_code="ONCE")
    assert "used up" in hand.refused("checkout", discount_code="ONCE")


def test_a_code_becomes_valid_by_the_clock(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1")
    hand.world.advance(3600)
    assert hand.call("checkout", discount_code="SOON5")["order_total"] == 37.99


def test_a_cart_of_two_currencies_is_not_bought_at_once(hand: Hand) -> None:
    hand.happens("add_item_to_product", product_id="k2", price=3, currency="EUR")
    hand.call("add_to_cart", item_id="s4")
    hand.call("add_to_cart", item_id="s1")
    assert "mixes EUR and USD" in hand.refused("checkout")


def test_an_order_is_cancelled_once_and_gives_the_stock_back(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1", quantity=3)
    hand.call("checkout")
    assert "out of stock" in hand.refused("add_to_cart", item_id="s1")
    assert hand.call("cancel_order", order_id="o3")["order_status"] == "cancelled"
    assert "o3 is cancelled" in hand.refused("cancel_order", order_id="o3")
    assert hand.call("add_to_cart", item_id="s1", quantity=3)["in_cart"] == 3


def test_an_order_goes_forward_and_says_so(hand: Hand) -> None:
    for status, title in (("out_for_delivery", "out for delivery"), ("delivered", "delivered")):
        hand.happens("update_order_status", order_id="o1", status=status)
        assert hand.heard()[-1].startswith(f"Order o1 {title}")
    refusal = hand.cannot_happen("update_order_status", order_id="o1", status="shipped")
    assert "o1 is delivered and cannot become shipped; only nothing more" in refusal
    assert "o1 is delivered" in hand.refused("cancel_order", order_id="o1")


def test_a_late_order_is_told_with_its_new_date(hand: Hand) -> None:
    hand.happens(
        "update_order_status",
        order_id="o1",
        status="shipped",
        message="Held up at customs",
        expected_delivery="2026-03-20",
    )
    assert hand.heard() == ["Order o1 shipped: Held up at customs"]
    text = hand.go_to("o1").text
    assert "expected 2026-03-20" in text
    assert "Held up at customs" in text
    assert "cannot become" in hand.cannot_happen("update_order_status", order_id="o1")


def test_the_shop_cancels_an_order(hand: Hand) -> None:
    hand.happens("cancel_order_by_shop", order_id="o1", reason="Sold out")
    note = hand.world.notifications[-1]
    assert (note.title, note.text) == ("Order o1 cancelled", "Sold out")
    assert note.record is not None
    assert note.record.ref == "o1"
    assert "o1 is cancelled" in hand.cannot_happen("cancel_order_by_shop", order_id="o1")
    refusal = hand.cannot_happen("update_order_status", order_id="o1", status="delivered")
    assert "o1 is cancelled" in refusal
    refusal = hand.cannot_happen("update_order_status", order_id="o2", status="cancelled")
    assert "o2 is delivered" in refusal


def test_a_cancelled_status_is_a_cancellation(hand: Hand) -> None:
    hand.call("add_to_cart", item_id="s1", quantity=3)
    hand.call("checkout")
    hand.happens("update_order_status", order_id="o3", status="cancelled")
    assert hand.heard() == ["Order o3 cancelled: 119.97 USD will be paid back"]
    assert hand.call("add_to_cart", item_id="s1", quantity=3)["in_cart"] == 3


def test_a_cart_beyond_all_amounts_is_refused(hand: Hand) -> None:
    hand.happens("update_item", item_id="s2", new_price=1e9)
    hand.call("add_to_cart", item_id="s2", quantity=2)
    assert "1000000000.00 is the most" in hand.refused("checkout")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("SPRING10", "SPRING10: 10 % off, from a total of 50.00"),
        ("LAMP20", "LAMP20: off s1 20 %"),
        ("OLD5", "OLD5: 5 % off, until 2026-03-10 09:00"),
        ("SOON5", "SOON5: 5 % off, from 2026-03-10 10:00"),
        ("ONCE", "ONCE: 50 % off, 1 uses left"),
    ],
)
def test_a_code_tells_its_rules(hand: Hand, code: str, text: str) -> None:
    assert hand.go_to(code).text == text


def test_the_shop_adds_and_changes(hand: Hand) -> None:
    hand.happens("add_product", name="Bread knife", description="Serrated")
    hand.open()
    assert hand.items("product")[-1].text == "Bread knife"
    hand.happens("add_item_to_product", product_id="k3", price=18, options={"length": 21.5})
    hand.call("add_to_cart", item_id="s4")
    hand.happens("update_item", item_id="s4", new_price=15.5)
    heard = hand.heard()
    assert heard.pop().endswith("15.50 USD, in stock, 1 in the cart (was 18.00 USD)")
    assert hand.world.notifications[-1].title == "In your cart: Bread knife"
    assert heard == [
        "New in the shop: 'Bread knife': Serrated",
        "New: Bread knife: 'Bread knife' length 21.5 18.00 USD, in stock",
    ]
    assert hand.call("checkout")["order_total"] == 15.5
    assert "give a price" in hand.cannot_happen("update_item", item_id="s4")
    assert "needs a name" in hand.cannot_happen("add_product", name=" ")
    assert "no product" in hand.cannot_happen("add_item_to_product", product_id="k9", price=1)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"colour": "red", "lined": True, "size": 42}, "'Tea towel' red lined size 42"),
        ({"lined": False}, "'Tea towel' no lined"),
        ({"for": ["glass", "china"]}, "'Tea towel' glass/china"),
        ({}, "'Tea towel'"),
    ],
)
def test_a_variant_is_told_by_its_options(
    hand: Hand, options: dict[str, object], what: str
) -> None:
    hand.happens("add_item_to_product", product_id="k2", price=5, options=options)
    assert hand.go_to("s4").text == f"{what} 5.00 USD, in stock"


def test_a_code_is_given_out_and_grows(hand: Hand) -> None:
    hand.happens("add_discount_code", discount_code="FLASH", percentage=20, item_ids=["s1"])
    note = hand.world.notifications[-1]
    assert note.title == "Discount code FLASH"
    assert note.record is not None
    assert note.record.kind == "discount_code"
    hand.happens("add_discount_code", discount_code="FLASH", percentage=25, item_ids=["s2"])
    info = hand.call("get_discount_code_info", discount_code="FLASH")
    assert info["item_percentages"] == {"s1": 20.0, "s2": 25.0}
    hand.happens("add_discount_code", discount_code="FLASH", percentage=5)
    info = hand.call("get_discount_code_info", discount_code="FLASH")
    assert (info["percentage"], info["item_percentages"]) == (5.0, {})
    assert "FLASH" in [code["discount_code"] for code in hand.call("get_all_discount_codes")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"discount_code": " "}, "needs a name"),
        ({"discount_code": "TWO WORDS"}, "is no id"),
        ({"discount_code": "s1"}, "there is a record 's1' already"),
        ({"percentage": 0}, "percentage"),
        ({"percentage": 101}, "percentage"),
        ({"expires_at": "2026-03-10 09:00"}, "is past"),
        ({"item_ids": ["s9"]}, "no item 's9'"),
    ],
)
def test_impossible_codes_do_not_come(hand: Hand, arguments: dict[str, Any], said: str) -> None:
    full = {"discount_code": "NEW", "percentage": 5, **arguments}
    assert said in hand.cannot_happen("add_discount_code", **full)


def test_the_user_buys_by_the_screens(hand: Hand) -> None:
    hand.open()
    hand.do("search", query="lamp")
    assert hand.items("product")[0].text == "Desk lamp, from 39.99 USD"
    assert hand.do("view_product", product_id="k1") == "ProductDetail"
    assert hand.do("view_variant", item_id="s1") == "VariantDetail"
    assert hand.do("add_to_cart", quantity=2) == "Cart"
    hand.do("set_quantity", item_id="s1", quantity=3)
    assert "only 3" in hand.cannot("set_quantity", item_id="s1", quantity=4)
    assert "no item 's2' on the screen" in hand.cannot("remove_item", item_id="s2")
    hand.do("remove_item", item_id="s1", quantity=1)
    assert [i.text for i in hand.items()] == ["2 × 'Desk lamp' black 39.99 USD", "Total: 79.98"]
    assert hand.do("list_discount_codes") == "DiscountList"
    hand.do("view_cart")
    assert hand.do("checkout", discount_code="SPRING10") == "OrderDetail"
    assert "total 71.98 USD with SPRING10" in hand.items("order")[0].text
    hand.do("cancel_order")
    assert "no 'cancel_order' now" in hand.cannot("cancel_order")
    hand.do("list_orders")
    hand.do("view_order", order_id="o2")
    assert "cancel_order" not in hand.offers()


def test_an_empty_cart_offers_nothing_to_buy(hand: Hand) -> None:
    hand.open()
    hand.do("view_cart")
    assert hand.offers() == ["list_discount_codes"]
    assert hand.items()[0].text == "The cart is empty"


def test_what_is_out_of_stock_cannot_be_put_in_the_cart(hand: Hand) -> None:
    hand.go_to("s3")
    assert "add_to_cart" not in hand.offers()


@pytest.mark.parametrize("ref", ["k1", "k2", "s1", "s3", "o1", "o2", "SPRING10", "ONCE"])
def test_the_graph_leads_to_every_record(hand: Hand, ref: str) -> None:
    hand.open()
    hand.do("search", query="sofa")
    hand.go_to(ref)


def test_a_list_shows_less_than_the_detail(hand: Hand) -> None:
    hand.open()
    hand.do("list_orders")
    row = next(i for i in hand.items("order") if i.ref == "o1")
    assert "lamp" not in row.text
    assert set(row.shows) == {"order_date", "order_status", "order_total", "currency"}
    assert "2 × 'Desk lamp' white dimmable at 42.50 USD" in hand.go_to("o1").text


def test_a_cart_can_be_loaded() -> None:
    hand = Hand("shopping", {**SHOP, "cart": [{"item_id": "s2", "quantity": 2}]})
    assert hand.call("list_cart")["total"] == 85.0


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"cart": [{"item_id": "s9"}]}, "shopping.cart"),
        ({"cart": [{"item": "s1"}]}, "shopping.cart"),
        ({"items": [{"product_id": "k9", "price": 1}]}, "no product 'k9'"),
        ({"products": [{"name": "X", "variants": "none"}]}, "give a list of mappings"),
        ({"products": [{"title": "X"}]}, "fields are product_id, name, description"),
        ({"basket": []}, "shopping has no 'basket'"),
    ],
)
def test_wrong_scenario_data_is_named(content: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Hand("shopping", {**SHOP, **content})
