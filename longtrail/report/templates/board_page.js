{% include "site.js" %}
{% include "sort.js" %}
{% include "board.js" %}
