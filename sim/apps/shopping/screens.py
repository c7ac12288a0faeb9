"""The shopping app's screens: products, a product, a variant, the cart, codes, orders, an order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from heron.contracts import Item
from heron.sim.apps.shopping.app import ShoppingApp
from heron.sim.apps.shopping.records import ItemId, OrderId, Product, ProductId, Quantity, Variant
from heron.sim.listing import short
from heron.sim.money import shown
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class ShoppingHome(Screen[ShoppingApp]):
    """Products, all or those that a search finds."""

    query: str = ""

    def title(self, app: ShoppingApp) -> str:
        return f"Products: {short(self.query, 40)}" if self.query else "Products"

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        for product, variants in app.find_products(self.query):
            yield item(product, "name", text=_offer(product, variants))

    @action()
    def list_products(self, app: ShoppingApp) -> ShoppingHome:
        """Show all products."""
        return ShoppingHome()

    @action()
    def search(self, app: ShoppingApp, query: str) -> ShoppingHome:
        """Show the products that have all the words."""
        return ShoppingHome(query)

    @action()
    def view_product(self, app: ShoppingApp, product_id: ProductId) -> ProductDetail:
        """Open a product."""
        return ProductDetail(app.products.get(product_id).ref)

    @action()
    def view_cart(self, app: ShoppingApp) -> Cart:
        """Go to the cart."""
        return Cart()

    @action()
    def list_orders(self, app: ShoppingApp) -> OrderList:
        """Go to the orders."""
        return OrderList()

    @action()
    def list_discount_codes(self, app: ShoppingApp) -> DiscountList:
        """Go to the discount codes."""
        return DiscountList()


@dataclass(frozen=True)
class ProductDetail(Screen[ShoppingApp]):
    """One product and its variants."""

    SHOWS = "product"
    product_id: ProductId

    def title(self, app: ShoppingApp) -> str:
        return app.products.get(self.product_id).name

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        yield item(app.products.get(self.product_id), "*")
        for variant in app.variants(self.product_id):
            yield _variant(variant)

    @action()
    def view_variant(self, app: ShoppingApp, item_id: ItemId) -> VariantDetail:
        """Open a variant."""
        return VariantDetail(app.items.get(item_id).ref)

    @action()
    def view_cart(self, app: ShoppingApp) -> Cart:
        """Go to the cart."""
        return Cart()


@dataclass(frozen=True)
class VariantDetail(Screen[ShoppingApp]):
    """One variant of a product."""

    SHOWS = "item"
    item_id: ItemId

    def title(self, app: ShoppingApp) -> str:
        return app.items.get(self.item_id).what

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        yield item(app.items.get(self.item_id), "*")

    @action("write", when=lambda screen, app: app.items.get(screen.item_id).left != 0)
    def add_to_cart(self, app: ShoppingApp, quantity: Quantity = 1) -> Cart:
        """Put so many more of this variant in the cart."""
        app.add_to_cart(self.item_id, quantity)
        return Cart()

    @action()
    def view_cart(self, app: ShoppingApp) -> Cart:
        """Go to the cart."""
        return Cart()


def _cart_is_filled(_: object, app: ShoppingApp) -> bool:
    return bool(app.cart())


@dataclass(frozen=True)
class Cart(Screen[ShoppingApp]):
    """What is about to be bought."""

    def title(self, app: ShoppingApp) -> str:
        return "Cart"

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        for variant in app.cart():
            text = f"{variant.in_cart} × {variant.what} {shown(variant.price, variant.currency)}"
            yield item(variant, *VARIANT_ROW, "in_cart", text=text)
        yield label(f"Total: {app.subtotal():.2f}" if app.cart() else "The cart is empty")

    @action("write", when=_cart_is_filled)
    def set_quantity(self, app: ShoppingApp, item_id: ItemId, quantity: Quantity) -> Cart:
        """Have so many of a variant in the cart."""
        app.put_in_cart(item_id, quantity)
        return self

    @action("write", when=_cart_is_filled)
    def remove_item(
        self, app: ShoppingApp, item_id: ItemId, quantity: Quantity | None = None
    ) -> Cart:
        """Take a variant out of the cart, or so many of it."""
        app.remove_from_cart(item_id, quantity or app.items.get(item_id).in_cart)
        return self

    @action(when=_cart_is_filled)
    def view_variant(self, app: ShoppingApp, item_id: ItemId) -> VariantDetail:
        """Open a variant."""
        return VariantDetail(app.items.get(item_id).ref)

    @action("write", takes=40.0, when=_cart_is_filled)
    def checkout(self, app: ShoppingApp, discount_code: str | None = None) -> OrderDetail:
        """Order what is in the cart, with a discount code if there is one."""
        return OrderDetail(app.checkout(discount_code).ref)

    @action()
    def list_discount_codes(self, app: ShoppingApp) -> DiscountList:
        """Go to the discount codes."""
        return DiscountList()


@dataclass(frozen=True)
class DiscountList(Screen[ShoppingApp]):
    """Discount codes and their rules."""

    SHOWS = "discount_code"

    def title(self, app: ShoppingApp) -> str:
        return "Discount codes"

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        for code in app.discount_codes:
            yield item(code, "*")

    @action()
    def view_cart(self, app: ShoppingApp) -> Cart:
        """Go to the cart."""
        return Cart()


@dataclass(frozen=True)
class OrderList(Screen[ShoppingApp]):
    """Orders, newest first."""

    def title(self, app: ShoppingApp) -> str:
        return "Orders"

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        for order in app.list_orders():
            total = shown(order.order_total, order.currency)
            text = f"{order.order_date:%Y-%m-%d} {order.order_status}, {total}"
            yield item(order, "order_date", "order_status", "order_total", "currency", text=text)

    @action()
    def view_order(self, app: ShoppingApp, order_id: OrderId) -> OrderDetail:
        """Open an order."""
        return OrderDetail(app.orders.get(order_id).ref)


@dataclass(frozen=True)
class OrderDetail(Screen[ShoppingApp]):
    """One order."""

    SHOWS = "order"
    order_id: OrderId

    def title(self, app: ShoppingApp) -> str:
        return f"Order {self.order_id}"

    def items(self, app: ShoppingApp) -> Iterable[Item]:
        yield item(app.orders.get(self.order_id), "*")

    @action("write", when=lambda screen, app: app.can_call_off(screen.order_id))
    def cancel_order(self, app: ShoppingApp) -> OrderDetail:
        """Cancel this order."""
        app.cancel_order(self.order_id)
        return self

    @action()
    def list_orders(self, app: ShoppingApp) -> OrderList:
        """Go to the orders."""
        return OrderList()


VARIANT_ROW = ("name", "options", "price", "currency")
"""What a list shows of a variant."""


def _variant(variant: Variant) -> Item:
    gone = ", out of stock" if variant.left == 0 else ""
    text = f"{variant.what} {shown(variant.price, variant.currency)}{gone}"
    return item(variant, *VARIANT_ROW, text=text)


def _offer(product: Product, variants: list[Variant]) -> str:
    """A product with the price that it begins at."""
    cheapest = min(variants, key=lambda v: v.price, default=None)
    if cheapest is None:
        return product.name
    fewest = "from " if len(variants) > 1 else ""
    return f"{product.name}, {fewest}{shown(cheapest.price, cheapest.currency)}"
