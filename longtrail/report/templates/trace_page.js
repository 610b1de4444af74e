{% include "trace.js" %}
{% include "elsewhere.js" %}
{% include "copy.js" %}
