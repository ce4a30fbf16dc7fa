from django.urls import path

from orders import views

urlpatterns = [
    path("products/", views.products, name="products"),
    path("products/<str:sku>/", views.product, name="product"),
    path("orders/", views.my_orders, name="my-orders"),
    path("orders/place/", views.place_order, name="place-order"),
    path("orders/<uuid:public_id>/", views.order, name="order"),
    path("orders/<uuid:public_id>/pay/", views.pay_order, name="pay-order"),
    path("orders/<uuid:public_id>/note/", views.write_note, name="write-note"),
    path("orders/<uuid:public_id>/cancel/", views.cancel_order, name="cancel-order"),
    path("reports/sales/", views.sales_report, name="sales-report"),
    path("reports/customers/", views.customers_report, name="customers-report"),
]
