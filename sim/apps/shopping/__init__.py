"""A shop: products in variants, a cart, discount codes, orders; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.shopping.app import ShoppingApp
from heron.sim.apps.shopping.screens import (
    Cart,
    DiscountList,
    OrderDetail,
    OrderList,
    ProductDetail,
    ShoppingHome,
    VariantDetail,
)

ShoppingApp.ROOT = ShoppingHome
ShoppingApp.SCREENS = (
    ShoppingHome,
    ProductDetail,
    VariantDetail,
    Cart,
    DiscountList,
    OrderList,
    OrderDetail,
)
APP = ShoppingApp
