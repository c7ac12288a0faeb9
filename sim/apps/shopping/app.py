"""The shopping app's tools, and what the shop does: new products, prices, codes, deliveries."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from pydantic import Field, NaiveDatetime

from heron.errors import IllegalCall
from heron.sim.app import happens, require, tool
from heron.sim.apps.shopping.counter import Counter
from heron.sim.apps.shopping.records import (
    STEPS,
    Code,
    DiscountCode,
    ItemId,
    Option,
    Order,
    OrderId,
    OrderStatus,
    Percentage,
    Product,
    ProductId,
    Quantity,
    Variant,
)
from heron.sim.listing import Limit, Offset, page
from heron.sim.money import Amount, Currency, shown


class ShoppingApp(Counter):
    """Where the owner buys things."""

    # --- tools ---

    @tool("read")
    def list_all_products(self, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Products with their variants."""
        return self.search_product("", offset, limit)

    @tool("read")
    def get_product_details(self, product_id: ProductId) -> dict[str, Any]:
        """One product with its variants."""
        return self.offer(self.products.get(product_id))

    @tool("read")
    def search_product(
        self, product_name: str, offset: Offset = 0, limit: Limit = 10
    ) -> dict[str, Any]:
        """Products whose name or description has all the words, with their variants."""
        found = [{"product": p, "variants": v} for p, v in self.find_products(product_name)]
        return page("products", found, offset, limit)

    @tool("read")
    def list_cart(self) -> dict[str, Any]:
        """Variants in the cart and what they come to."""
        return {"items": self.cart(), "total": self.subtotal()}

    @tool("read")
    def get_discount_code_info(self, discount_code: str) -> DiscountCode:
        """What a discount code takes off, and its rules."""
        found = self.discount_codes.find(discount_code.strip())
        if found is None:
            known = ", ".join(code.ref for code in self.discount_codes) or "none"
            raise IllegalCall(f"no discount code {discount_code!r}; there are: {known}")
        return found

    @tool("read")
    def get_all_discount_codes(self) -> list[DiscountCode]:
        """All discount codes with their rules."""
        return list(self.discount_codes)

    @tool("read")
    def list_orders(self) -> list[Order]:
        """Orders, newest first."""
        return sorted(self.orders, key=lambda order: order.order_date)[::-1]

    @tool("read")
    def get_order_details(self, order_id: OrderId) -> Order:
        """One order in full."""
        return self.orders.get(order_id)

    @tool("write")
    def add_to_cart(self, item_id: ItemId, quantity: Quantity = 1) -> Variant:
        """Put so many more of a variant in the cart."""
        return self.put_in_cart(item_id, self.items.get(item_id).in_cart + quantity)

    @tool("write")
    def remove_from_cart(self, item_id: ItemId, quantity: Quantity = 1) -> Variant:
        """Take so many of a variant out of the cart."""
        there = self.items.get(item_id).in_cart
        inside = ", ".join(f"{i.in_cart} of {i.ref}" for i in self.cart()) or "nothing"
        require(there, f"{item_id} is not in the cart; it holds {inside}")
        require(quantity <= there, f"only {there} of {item_id} are in the cart, not {quantity}")
        return self.items.change(item_id, in_cart=there - quantity)

    @tool("write")
    def checkout(self, discount_code: Code | None = None) -> Order:
        """Order what is in the cart; a discount code must be valid for all of it."""
        return self.buy(discount_code)

    @tool("write")
    def cancel_order(self, order_id: OrderId) -> Order:
        """Cancel an order that has not gone out for delivery."""
        return self.call_off(order_id, "")

    # --- happenings ---

    @happens
    def add_product(self, name: str, description: str = "") -> Product:
        """The shop offers something new; its variants follow."""
        require(name.strip(), "a product needs a name")
        made = self.products.put(
            Product(product_id=self.products.new_id(), name=name, description=description)
        )
        self.notify("New in the shop", made.line(), made)
        return made

    @happens
    def add_item_to_product(
        self,
        product_id: ProductId,
        *,
        price: Amount,
        options: dict[str, Option] | None = None,
        available: bool = True,
        stock: Annotated[int, Field(ge=0)] | None = None,
        currency: Currency = "USD",
    ) -> Variant:
        """A product comes in a new variant."""
        product = self.products.get(product_id)
        made = self.items.put(
            Variant(
                item_id=self.items.new_id(),
                product_id=product.ref,
                name=product.name,
                options=options or {},
                price=price,
                currency=currency,
                available=available,
                stock=stock,
            )
        )
        self.notify(f"New: {product.name}", made.line(), made)
        return made

    @happens
    def update_item(
        self,
        item_id: ItemId,
        new_price: Amount | None = None,
        new_availability: bool | None = None,
        new_stock: Annotated[int, Field(ge=0)] | None = None,
    ) -> Variant:
        """Price, availability or stock of a variant change."""
        given = {"price": new_price, "available": new_availability, "stock": new_stock}
        fields = {name: value for name, value in given.items() if value is not None}
        require(fields, f"nothing to change in {item_id}; give a price, availability or stock")
        old = self.items.get(item_id)
        new = self.items.change(item_id, **fields)
        before = f" (was {shown(old.price, old.currency)})" if new.price != old.price else ""
        place = "In your cart" if new.in_cart else "In the shop"
        self.notify(f"{place}: {new.name}", f"{new.line()}{before}", new)
        return new

    @happens
    def add_discount_code(
        self,
        discount_code: str,
        *,
        percentage: Percentage,
        item_ids: list[ItemId] | None = None,
        minimum_total: Amount = 0.0,
        valid_from: NaiveDatetime | None = None,
        expires_at: NaiveDatetime | None = None,
        uses_left: Annotated[int, Field(ge=1)] | None = None,
    ) -> DiscountCode:
        """The shop gives out a code; naming a code again adds variants and sets its rules anew."""
        code = discount_code.strip()
        require(code, "a discount code needs a name")
        require(expires_at is None or expires_at > self.now, f"expires_at {expires_at} is past")
        rates = {self.items.get(ref).ref: percentage for ref in item_ids or ()}
        old = self.discount_codes.find(code)
        if old is None:
            self.claim(self.discount_codes, code)
        made = self.discount_codes.put(
            DiscountCode(
                discount_code=code,
                percentage=None if rates else percentage,
                item_percentages={**old.item_percentages, **rates} if old and rates else rates,
                minimum_total=minimum_total,
                valid_from=valid_from,
                expires_at=expires_at,
                uses_left=uses_left,
            )
        )
        self.notify(f"Discount code {code}", made.line(), made)
        return made

    @happens
    def update_order_status(
        self,
        order_id: OrderId,
        status: OrderStatus = "shipped",
        message: str = "",
        expected_delivery: date | None = None,
    ) -> Order:
        """An order goes on its way, arrives or is cancelled; it only goes forward."""
        old = self.orders.get(order_id)
        if status == "cancelled":
            return self.cancel_order_by_shop(order_id, message)
        later = STEPS[STEPS.index(old.order_status) + 1 :] if old.order_status in STEPS else ()
        forward = status in later or (status == old.order_status and (message or expected_delivery))
        may = ", ".join(later) or "nothing more"
        require(forward, f"{order_id} is {old.order_status} and cannot become {status}; only {may}")
        fields = {"order_status": status, "message": message or old.message}
        due = expected_delivery or old.expected_delivery
        new = self.orders.change(order_id, **fields, expected_delivery=due)
        title = f"Order {order_id} {status.replace('_', ' ')}"
        self.notify(title, message or new.line(), new)
        return new

    @happens
    def cancel_order_by_shop(self, order_id: OrderId, reason: str = "") -> Order:
        """The shop cancels an order."""
        new = self.call_off(order_id, reason)
        back = shown(new.order_total, new.currency)
        self.notify(f"Order {order_id} cancelled", reason or f"{back} will be paid back", new)
        return new
