-- The shop's tables, named and shaped after Magento 2.4's (only the columns that a page shows or a rule reads).
-- Moments are 'YYYY-MM-DD HH:MM:SS' in the shop's time, money is dollars rounded to cents.

CREATE TABLE customer_group (customer_group_id INTEGER PRIMARY KEY, customer_group_code TEXT NOT NULL);

CREATE TABLE customer_entity (
    entity_id INTEGER PRIMARY KEY,
    firstname TEXT NOT NULL,
    lastname TEXT NOT NULL,
    email TEXT NOT NULL,
    group_id INTEGER NOT NULL REFERENCES customer_group,
    created_at TEXT NOT NULL,
    created_in TEXT NOT NULL,
    last_login_at TEXT,
    confirmed INTEGER NOT NULL,
    dob TEXT,
    default_billing INTEGER NOT NULL,
    default_shipping INTEGER NOT NULL
);

CREATE TABLE customer_address_entity (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES customer_entity,
    name TEXT NOT NULL,
    company TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    region TEXT NOT NULL,
    postcode TEXT NOT NULL,
    telephone TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX customer_address_parent ON customer_address_entity (parent_id);

CREATE TABLE catalog_product_entity (
    entity_id INTEGER PRIMARY KEY,
    sku TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    size TEXT NOT NULL,
    category TEXT NOT NULL,
    price REAL NOT NULL,
    qty INTEGER NOT NULL,
    weight REAL NOT NULL,
    status INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    description TEXT NOT NULL
);

CREATE TABLE sales_order (
    entity_id INTEGER PRIMARY KEY,
    increment_id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    status TEXT NOT NULL,
    hold_before_state TEXT,
    hold_before_status TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    customer_id INTEGER NOT NULL REFERENCES customer_entity,
    customer_name TEXT NOT NULL,
    customer_email TEXT NOT NULL,
    billing_name TEXT NOT NULL,
    shipping_name TEXT NOT NULL,
    remote_ip TEXT NOT NULL,
    coupon_code TEXT NOT NULL,
    shipping_description TEXT NOT NULL,
    payment_title TEXT NOT NULL,
    payment_detail TEXT NOT NULL,
    subtotal REAL NOT NULL,
    discount_amount REAL NOT NULL,
    shipping_amount REAL NOT NULL,
    tax_amount REAL NOT NULL,
    grand_total REAL NOT NULL,
    total_paid REAL NOT NULL,
    total_refunded REAL NOT NULL,
    shipping_refunded REAL NOT NULL,
    total_canceled REAL NOT NULL,
    email_sent INTEGER NOT NULL
);
CREATE INDEX sales_order_customer ON sales_order (customer_id);
CREATE INDEX sales_order_created ON sales_order (created_at);

CREATE TABLE sales_order_item (
    item_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES sales_order,
    product_id INTEGER NOT NULL REFERENCES catalog_product_entity,
    sku TEXT NOT NULL,
    name TEXT NOT NULL,
    size TEXT NOT NULL,
    original_price REAL NOT NULL,
    price REAL NOT NULL,
    qty_ordered INTEGER NOT NULL,
    qty_invoiced INTEGER NOT NULL,
    qty_shipped INTEGER NOT NULL,
    qty_refunded INTEGER NOT NULL,
    qty_canceled INTEGER NOT NULL,
    row_total REAL NOT NULL,
    tax_percent REAL NOT NULL,
    tax_amount REAL NOT NULL,
    discount_amount REAL NOT NULL
);
CREATE INDEX sales_order_item_order ON sales_order_item (order_id);
CREATE INDEX sales_order_item_product ON sales_order_item (product_id);

CREATE TABLE sales_order_address (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_order,
    address_type TEXT NOT NULL,
    name TEXT NOT NULL,
    company TEXT NOT NULL,
    street TEXT NOT NULL,
    city TEXT NOT NULL,
    region TEXT NOT NULL,
    postcode TEXT NOT NULL,
    telephone TEXT NOT NULL
);
CREATE INDEX sales_order_address_order ON sales_order_address (parent_id);

CREATE TABLE sales_order_status_history (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_order,
    status TEXT NOT NULL,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL,
    is_customer_notified INTEGER NOT NULL,
    is_visible_on_front INTEGER NOT NULL
);
CREATE INDEX sales_order_history_order ON sales_order_status_history (parent_id);

CREATE TABLE sales_invoice (
    entity_id INTEGER PRIMARY KEY,
    increment_id TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES sales_order,
    created_at TEXT NOT NULL,
    grand_total REAL NOT NULL
);
CREATE INDEX sales_invoice_order ON sales_invoice (order_id);

CREATE TABLE sales_shipment (
    entity_id INTEGER PRIMARY KEY,
    increment_id TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES sales_order,
    created_at TEXT NOT NULL,
    total_qty INTEGER NOT NULL
);
CREATE INDEX sales_shipment_order ON sales_shipment (order_id);

CREATE TABLE sales_shipment_item (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_shipment,
    order_item_id INTEGER NOT NULL REFERENCES sales_order_item,
    qty INTEGER NOT NULL
);
CREATE INDEX sales_shipment_item_parent ON sales_shipment_item (parent_id);

CREATE TABLE sales_shipment_track (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_shipment,
    title TEXT NOT NULL,
    track_number TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX sales_shipment_track_parent ON sales_shipment_track (parent_id);

CREATE TABLE sales_shipment_comment (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_shipment,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL,
    is_customer_notified INTEGER NOT NULL
);
CREATE INDEX sales_shipment_comment_parent ON sales_shipment_comment (parent_id);

CREATE TABLE sales_creditmemo (
    entity_id INTEGER PRIMARY KEY,
    increment_id TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES sales_order,
    created_at TEXT NOT NULL,
    subtotal REAL NOT NULL,
    discount_amount REAL NOT NULL,
    tax_amount REAL NOT NULL,
    shipping_amount REAL NOT NULL,
    adjustment_positive REAL NOT NULL,
    adjustment_negative REAL NOT NULL,
    grand_total REAL NOT NULL
);
CREATE INDEX sales_creditmemo_order ON sales_creditmemo (order_id);

CREATE TABLE sales_creditmemo_item (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_creditmemo,
    order_item_id INTEGER NOT NULL REFERENCES sales_order_item,
    qty INTEGER NOT NULL,
    back_to_stock INTEGER NOT NULL,
    row_total REAL NOT NULL,
    tax_amount REAL NOT NULL,
    discount_amount REAL NOT NULL
);
CREATE INDEX sales_creditmemo_item_parent ON sales_creditmemo_item (parent_id);

CREATE TABLE sales_creditmemo_comment (
    entity_id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES sales_creditmemo,
    comment TEXT NOT NULL,
    created_at TEXT NOT NULL,
    is_customer_notified INTEGER NOT NULL
);
CREATE INDEX sales_creditmemo_comment_parent ON sales_creditmemo_comment (parent_id);

CREATE TABLE review (
    review_id INTEGER PRIMARY KEY,
    created_at TEXT NOT NULL,
    status TEXT NOT NULL,
    product_id INTEGER NOT NULL REFERENCES catalog_product_entity,
    customer_id INTEGER NOT NULL REFERENCES customer_entity,
    nickname TEXT NOT NULL,
    title TEXT NOT NULL,
    detail TEXT NOT NULL,
    rating INTEGER NOT NULL
);
CREATE INDEX review_customer ON review (customer_id);
CREATE INDEX review_product ON review (product_id);

CREATE TABLE cms_page (
    page_id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    identifier TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    creation_time TEXT NOT NULL,
    update_time TEXT NOT NULL,
    content TEXT NOT NULL -- JSON: [{"heading": ..., "paragraphs": [[number, text], ...]}, ...]
);

-- Only the state of the hard tier has rows in these two.
CREATE TABLE magento_logging_event (
    log_id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    ip TEXT NOT NULL,
    user TEXT NOT NULL,
    event_code TEXT NOT NULL,
    action TEXT NOT NULL,
    info TEXT NOT NULL
);
CREATE INDEX magento_logging_event_time ON magento_logging_event (time);

CREATE TABLE report_statistics (report TEXT PRIMARY KEY, updated_at TEXT NOT NULL);

-- Only the worlds of shifts have rows in it.
CREATE TABLE inbox_message (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL,
    sender TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL, -- waiting, open, closed (a decided ticket), archived (an old mail)
    opened INTEGER NOT NULL DEFAULT 0 -- whether its page was opened
);
