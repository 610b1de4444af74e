{% include "site.js" %}
{% include "sort.js" %}
{% include "compare.js" %}
