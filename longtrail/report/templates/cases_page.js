{% include "site.js" %}
{% include "cases.js" %}
