"""What happens at the shop's counter: cart, discount rules, stock, buying, calling off.

Tools and screens of the shopping app both go through here, so the same rules hold for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from heron.errors import IllegalCall, InputError
from heron.sim.app import App, require
from heron.sim.apps.shopping.records import (
    CAN_BE_CANCELLED,
    DiscountCode,
    Order,
    OrderItem,
    Product,
    Variant,
    is_past,
)
from heron.sim.listing import matches
from heron.sim.money import MOST, cents, times
from heron.sim.tables import AppRecord

DELIVERY = timedelta(days=3)
"""From buying to delivery, as the shop expects it."""


class Counter(App):
    """Tables and rules of the shopping app."""

    NAME = "shopping"
    TITLE = "Shopping"

    def setup(self) -> None:
        self.products = self.table("products", Product, "k")
        self.items = self.table("items", Variant, "s")
        self.discount_codes = self.table("discount_codes", DiscountCode, "code:")
        self.orders = self.table("orders", Order, "o")

    # --- products ---

    def offer(self, product: Product) -> dict[str, Any]:
        """A product with its variants."""
        return {"product": product, "variants": self.variants(product.ref)}

    def variants(self, product_id: str) -> list[Variant]:
        """A product's variants."""
        return [item for item in self.items if item.product_id == product_id]

    def find_products(self, query: str) -> list[tuple[Product, list[Variant]]]:
        """Products whose name, description or variants have all the words, with all variants."""
        of: dict[str, list[Variant]] = {product.ref: [] for product in self.products}
        for item in self.items:
            of[item.product_id].append(item)
        offers = [(product, of[product.ref]) for product in self.products]
        return [one for one in offers if not query or matches(query, _words(*one))]

    # --- cart ---

    def cart(self) -> list[Variant]:
        """Variants in the cart."""
        return [item for item in self.items if item.in_cart]

    def subtotal(self) -> float:
        """What the cart comes to before any discount."""
        return cents(sum((times(item.price, item.in_cart) for item in self.cart()), Decimal()))

    def put_in_cart(self, item_id: str, quantity: int) -> Variant:
        """Have ``quantity`` of a variant in the cart, as far as it is in stock."""
        item = self.items.get(item_id)
        _check_stock(item, quantity)
        _check_quantity(quantity)
        return self.items.change(item_id, in_cart=quantity)

    # --- buying ---

    def buy(self, discount_code: str | None) -> Order:
        """Order what is in the cart; stock and cart follow."""
        cart = self.cart()
        require(cart, "the cart is empty; add_to_cart first")
        currencies = sorted({item.currency for item in cart})
        require(len(currencies) == 1, f"the cart mixes {' and '.join(currencies)}; buy one by one")
        for item in cart:
            _check_stock(item, item.in_cart)
            _check_quantity(item.in_cart)
        code = self._valid(discount_code, cart) if discount_code else None
        bought = tuple(
            OrderItem(
                item_id=item.ref,
                quantity=item.in_cart,
                price=item.price,
                name=item.name,
                options=item.options,
            )
            for item in cart
        )
        total = cents(sum((_price(item, code) for item in cart), Decimal()))
        require(total <= MOST, f"the cart comes to {total:.2f}; {MOST:.2f} is the most")
        for item in cart:
            left = None if item.stock is None else item.stock - item.in_cart
            self.items.change(item.ref, in_cart=0, stock=left)
        if code is not None and code.uses_left is not None:
            self.discount_codes.change(code.ref, uses_left=code.uses_left - 1)
        return self.orders.put(
            Order(
                order_id=self.orders.new_id(),
                order_date=self.now,
                order_items=bought,
                discount_code=code.ref if code else None,
                order_total=total,
                currency=currencies[0],
                expected_delivery=(self.now + DELIVERY).date(),
            )
        )

    def call_off(self, order_id: str, message: str) -> Order:
        """Cancel an order; what it took from the stock goes back."""
        order = self.orders.get(order_id)
        require(
            self.can_call_off(order_id),
            f"{order_id} is {order.order_status}; only an order that is "
            f"{' or '.join(CAN_BE_CANCELLED)} can be cancelled",
        )
        for line in order.order_items:
            item = self.items.find(line.item_id)
            if item is not None and item.stock is not None:
                self.items.change(item.ref, stock=item.stock + line.quantity)
        said = message or order.message
        return self.orders.change(order_id, order_status="cancelled", message=said)

    def can_call_off(self, order_id: str) -> bool:
        """Whether an order can still be cancelled."""
        return self.orders.get(order_id).order_status in CAN_BE_CANCELLED

    def _valid(self, name: str, cart: Sequence[Variant]) -> DiscountCode:
        """The code, if all its rules are met."""
        code = self.discount_codes.find(name.strip())
        if code is None:
            raise IllegalCall(f"no discount code {name!r}; check out without one")
        require(
            code.valid_from is None or is_past(code.valid_from, self.now),
            f"{code.ref} is valid from {code.valid_from} only",
        )
        require(
            not is_past(code.expires_at, self.now),
            f"{code.ref} expired at {code.expires_at}; check out without it",
        )
        require(code.uses_left != 0, f"{code.ref} is used up; check out without it")
        least, total = code.minimum_total, self.subtotal()
        require(total >= least, f"{code.ref} needs a total of {least:.2f}; it is {total:.2f}")
        wrong = ", ".join(item.ref for item in cart if code.off(item.ref) is None)
        require(not wrong, f"{code.ref} is not for {wrong}; it must be for all that is in the cart")
        return code

    # --- scenario data ---

    def fill(self, content: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Load records; a product may hold its ``variants``, ``cart`` lists item_id, quantity."""
        known = {name: rows for name, rows in content.items() if name != "cart"}
        products = [dict(row) for row in known.pop("products", ())]
        items = [*known.pop("items", ())]
        for row in products:
            variants = _rows("variants", row.pop("variants", ()))
            ref = self.add("products", row).ref
            items += [{"product_id": ref, **variant} for variant in variants]
        super().fill({"items": items, **known})
        for line in _rows("cart", content.get("cart", ())):
            self._load_cart(line)

    def add(self, table_name: str, fields: Mapping[str, Any]) -> AppRecord:
        """Load one record; names of variants and of what was bought may be left out."""
        if table_name == "items":
            product = self.products.find(str(fields.get("product_id", "")))
            if product is None:
                raise InputError(
                    f"shopping.items: no product {fields.get('product_id')!r}; products come first"
                )
            return super().add(table_name, {"name": product.name, **fields})
        if table_name == "orders":
            rows = [self._named(r) for r in _rows("order_items", fields.get("order_items", ()))]
            return super().add(table_name, {**fields, "order_items": rows})
        return super().add(table_name, fields)

    def _named(self, row: Mapping[str, Any]) -> dict[str, Any]:
        item = self.items.find(str(row.get("item_id", "")))
        if item is None:
            return dict(row)
        return {"name": item.name, "options": item.options, "price": item.price, **row}

    def _load_cart(self, row: Mapping[str, Any]) -> None:
        item = self.items.find(str(row.get("item_id", "")))
        quantity = row.get("quantity", 1)
        if item is None or set(row) - {"item_id", "quantity"} or not isinstance(quantity, int):
            raise InputError(
                f"shopping.cart: {dict(row)}: give an item_id that is there, a quantity"
            )
        self.items.change(item.ref, in_cart=quantity)


def _words(product: Product, variants: Sequence[Variant]) -> list[str]:
    options = [str(value) for item in variants for value in item.options.values()]
    return [product.name, product.description, *options]


def _rows(name: str, given: Any) -> list[Mapping[str, Any]]:
    rows = list(given) if isinstance(given, list | tuple) else [given]
    if not all(isinstance(row, Mapping) for row in rows):
        raise InputError(f"shopping.{name}: {given!r}: give a list of mappings")
    return rows


def _check_stock(item: Variant, quantity: int) -> None:
    left = item.left
    require(left != 0, f"{item.ref} is out of stock; choose another variant")
    require(left is None or quantity <= left, f"only {left} of {item.ref} are in stock")


def _check_quantity(quantity: int) -> None:
    require(quantity <= 999, f"{quantity} is too many; the cart takes up to 999 of a variant")


def _price(item: Variant, code: DiscountCode | None) -> Decimal:
    off = code.off(item.ref) if code else None
    return times(item.price, item.in_cart, off or 0.0)
