{% include "sort.js" %}
