"""Grids: the back office's listings, column by column as the platform has them."""

from longtrail.web.sites.shopadmin.display import STATES, STATUSES
from longtrail.web.sites.shopadmin.grid import Column, Grid

_BILL = "(SELECT billing_name FROM sales_order o WHERE o.entity_id = {}.order_id)"
_SHIP = "(SELECT shipping_name FROM sales_order o WHERE o.entity_id = {}.order_id)"
_ORDER = "(SELECT increment_id FROM sales_order o WHERE o.entity_id = {}.order_id)"
_ORDERED = "(SELECT created_at FROM sales_order o WHERE o.entity_id = {}.order_id)"
_STATUS = "(SELECT status FROM sales_order o WHERE o.entity_id = {}.order_id)"

ORDERS = Grid(
    name="sales_order_grid",
    title="Orders",
    path="/admin/sales/order/",
    source="sales_order",
    columns=(
        Column("increment_id", "ID", "increment_id", filter="text"),
        Column("store", "Purchase Point", "'Main Website Store'"),
        Column("created_at", "Purchase Date", "created_at", "moment", "dates"),
        Column("billing_name", "Bill-to Name", "billing_name", filter="text"),
        Column("shipping_name", "Ship-to Name", "shipping_name", filter="text"),
        Column("base_grand_total", "Grand Total (Base)", "grand_total", "money"),
        Column("grand_total", "Grand Total (Purchased)", "grand_total", "money", "range"),
        Column("status", "Status", "status", "status", "options", STATUSES),
    ),
    search=("increment_id", "billing_name", "shipping_name", "customer_name", "customer_email"),
    sort="created_at",
    link="/admin/sales/order/view/order_id/{id}/",
)
INVOICES = Grid(
    name="sales_order_invoice_grid",
    title="Invoices",
    path="/admin/sales/invoice/",
    source="sales_invoice",
    columns=(
        Column("increment_id", "Invoice", "increment_id", filter="text"),
        Column("created_at", "Invoice Date", "created_at", "moment", "dates"),
        Column("order_increment_id", "Order #", _ORDER.format("sales_invoice"), filter="text"),
        Column("order_created_at", "Order Date", _ORDERED.format("sales_invoice"), "moment"),
        Column("billing_name", "Bill-to Name", _BILL.format("sales_invoice"), filter="text"),
        Column("state", "Status", "'Paid'"),
        Column("grand_total", "Amount", "grand_total", "money", "range"),
    ),
    search=("increment_id", _ORDER.format("sales_invoice"), _BILL.format("sales_invoice")),
    sort="created_at",
    link="/admin/sales/invoice/view/invoice_id/{id}/",
)
SHIPMENTS = Grid(
    name="sales_order_shipment_grid",
    title="Shipments",
    path="/admin/sales/shipment/",
    source="sales_shipment",
    columns=(
        Column("increment_id", "Shipment", "increment_id", filter="text"),
        Column("created_at", "Ship Date", "created_at", "moment", "dates"),
        Column("order_increment_id", "Order #", _ORDER.format("sales_shipment"), filter="text"),
        Column("order_created_at", "Order Date", _ORDERED.format("sales_shipment"), "moment"),
        Column("shipping_name", "Ship-to Name", _SHIP.format("sales_shipment"), filter="text"),
        Column("total_qty", "Total Quantity", "total_qty"),
    ),
    search=("increment_id", _ORDER.format("sales_shipment"), _SHIP.format("sales_shipment")),
    sort="created_at",
    link="/admin/sales/shipment/view/shipment_id/{id}/",
)
CREDITMEMOS = Grid(
    name="sales_order_creditmemo_grid",
    title="Credit Memos",
    path="/admin/sales/creditmemo/",
    source="sales_creditmemo",
    columns=(
        Column("increment_id", "Credit Memo", "increment_id", filter="text"),
        Column("created_at", "Created", "created_at", "moment", "dates"),
        Column("order_increment_id", "Order", _ORDER.format("sales_creditmemo"), filter="text"),
        Column("order_created_at", "Order Date", _ORDERED.format("sales_creditmemo"), "moment"),
        Column("billing_name", "Bill-to Name", _BILL.format("sales_creditmemo"), filter="text"),
        Column("state", "Status", "'Refunded'"),
        Column("grand_total", "Refunded", "grand_total", "money", "range"),
        Column("order_status", "Order Status", _STATUS.format("sales_creditmemo"), "status", "options", STATUSES),
    ),
    search=("increment_id", _ORDER.format("sales_creditmemo"), _BILL.format("sales_creditmemo")),
    sort="created_at",
    link="/admin/sales/creditmemo/view/creditmemo_id/{id}/",
)
_HOME = "(SELECT {} FROM customer_address_entity a WHERE a.entity_id = customer_entity.default_billing)"
CUSTOMERS = Grid(
    name="customer_listing",
    title="Customers",
    path="/admin/customer/index/",
    source="customer_entity",
    columns=(
        Column("entity_id", "ID", "entity_id", filter="range"),
        Column("name", "Name", "firstname || ' ' || lastname", filter="text"),
        Column("email", "Email", "email", filter="text"),
        Column(
            "group", "Group", "(SELECT customer_group_code FROM customer_group g WHERE g.customer_group_id = group_id)",
            filter="options", options={"General": "General", "Wholesale": "Wholesale", "Retailer": "Retailer"},
        ),
        Column("billing_telephone", "Phone", _HOME.format("telephone"), filter="text"),
        Column("billing_postcode", "ZIP", _HOME.format("postcode"), filter="text"),
        Column("billing_country_id", "Country", "'United States'"),
        Column("billing_region", "State/Province", _HOME.format("region"), "state", "options", STATES),
        Column("created_at", "Customer Since", "created_at", "moment", "dates"),
        Column("website_id", "Web Site", "'Main Website'"),
    ),
    search=("firstname || ' ' || lastname", "email", _HOME.format("telephone"), _HOME.format("postcode")),
    sort="entity_id",
    link="/admin/customer/index/edit/id/{id}/",
    action="Edit",
    label="firstname || ' ' || lastname",
)  # fmt: skip
CUSTOMER_ORDERS = Grid(
    name="customer_orders_grid",
    title="Orders",
    path="/admin/customer/index/orders/id/{}/",
    source="sales_order",
    columns=(
        Column("increment_id", "Order #", "increment_id", filter="text"),
        Column("created_at", "Purchased", "created_at", "moment", "dates"),
        Column("billing_name", "Bill-to Name", "billing_name", filter="text"),
        Column("shipping_name", "Ship-to Name", "shipping_name", filter="text"),
        Column("grand_total", "Order Total", "grand_total", "money", "range"),
        Column("store", "Purchase Point", "'Main Website Store'"),
    ),
    search=("increment_id",),
    sort="created_at",
    link="/admin/sales/order/view/order_id/{id}/",
)
PRODUCTS = Grid(
    name="product_listing",
    title="Products",
    path="/admin/catalog/product/",
    source="catalog_product_entity",
    columns=(
        Column("entity_id", "ID", "entity_id", filter="range"),
        Column("name", "Name", "name || CASE size WHEN '' THEN '' ELSE '-' || size END", filter="text"),
        Column("type", "Type", "'Simple Product'"),
        Column("category", "Attribute Set", "category", filter="text"),
        Column("sku", "SKU", "sku", filter="text"),
        Column("price", "Price", "price", "money", "range"),
        Column("qty", "Quantity", "qty", filter="range"),
        Column("visibility", "Visibility", "'Catalog, Search'"),
        Column(
            "status", "Status", "CASE status WHEN 1 THEN 'Enabled' ELSE 'Disabled' END",
            filter="options", options={"Enabled": "Enabled", "Disabled": "Disabled"},
        ),
    ),
    search=("name", "sku", "category"),
    sort="entity_id",
    link="/admin/catalog/product/edit/id/{id}/",
    action="Edit",
    descending=False,
    label="sku",
)  # fmt: skip
_PRODUCT = "(SELECT {} FROM catalog_product_entity p WHERE p.entity_id = product_id)"
_REVIEWER = "(SELECT firstname || ' ' || lastname FROM customer_entity c WHERE c.entity_id = customer_id)"
REVIEWS = Grid(
    name="reviewGrid",
    title="Reviews",
    path="/admin/review/product/",
    source="review",
    id="review_id",
    columns=(
        Column("review_id", "ID", "review_id", filter="range"),
        Column("created_at", "Created", "created_at", "moment", "dates"),
        Column(
            "status", "Status", "status", filter="options",
            options={"Approved": "Approved", "Pending": "Pending", "Not Approved": "Not Approved"},
        ),
        Column("title", "Title", "title", filter="text"),
        Column("nickname", "Nickname", "nickname", filter="text"),
        Column("detail", "Review", "CASE WHEN LENGTH(detail) > 50 THEN SUBSTR(detail, 1, 47) || '...' ELSE detail END"),
        Column("type", "Type", "'Customer'"),
        Column("product", "Product", _PRODUCT.format("name"), filter="text"),
        Column("sku", "SKU", _PRODUCT.format("sku"), filter="text"),
    ),
    search=("title", "nickname", "detail", _PRODUCT.format("name"), _PRODUCT.format("sku"), _REVIEWER),
    sort="review_id",
    link="/admin/review/product/edit/id/{id}/",
    action="Edit",
)  # fmt: skip
PAGES = Grid(
    name="cms_page_listing",
    title="Pages",
    path="/admin/cms/page/",
    source="cms_page",
    id="page_id",
    columns=(
        Column("page_id", "ID", "page_id"),
        Column("title", "Title", "title", filter="text"),
        Column("identifier", "URL Key", "identifier", filter="text"),
        Column("layout", "Layout", "'1 column'"),
        Column("store", "Store View", "'All Store Views'"),
        Column("is_active", "Status", "CASE is_active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END"),
        Column("creation_time", "Created", "creation_time", "moment"),
        Column("update_time", "Modified", "update_time", "moment"),
    ),
    search=("title", "identifier"),
    sort="page_id",
    link="/admin/cms/page/edit/page_id/{id}/",
    action="Edit",
    descending=False,
    label="title",
)
