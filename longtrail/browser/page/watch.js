// watch.js: what somebody else does on the page: clicks, fields filled in, options chosen, and the page's state when it was
// left; sent to `report` as JSON. (When another document is loading, the page can't be queried any more.) `person`: also keys,
// double clicks and clicks with the right button, for a recording; for agents these are not steps.
function watch(report, form, person) {
  addEventListener('beforeunload', () => document.body && report(JSON.stringify({type: 'left', seen: JSON.parse(observeSources(form, false))})), true);
  const tell = (type, element, value) => {
    const role = roleNow(element);
    report(JSON.stringify({type, value: String(value ?? '').slice(0, 2000), url: location.href, target: targetOf(element, role)}));
  };
  const used = event => {
    const path = event.composedPath().filter(node => node.nodeType === 1);
    return path.find(node => INTERACTIVE.has(roleOf(node))) || path[0];
  };
  let typing = null, entered = false, told = null;
  addEventListener('click', event => {
    const element = used(event);
    if (!element || element.tagName === 'OPTION' || entered && !event.detail) return;
    tell(!event.isTrusted ? 'scripted' : person && event.detail === 2 ? 'double_click' : 'click', element);
  }, true);
  if (person) {
    addEventListener('contextmenu', event => event.button === 2 && used(event) && tell('right_click', used(event)), true);
    addEventListener('keydown', event => {
      const element = event.composedPath()[0], field = element.matches('textarea, select, [contenteditable] *, [contenteditable]')
        || element.tagName === 'INPUT' && !/^(checkbox|radio|button|submit|reset|range|color|file)$/.test(element.type);
      const keys = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta', event.key].filter(Boolean).join('+');
      const suggests = element.matches('[role=combobox], [aria-autocomplete], [aria-haspopup], [list]');
      const counts = field ? keys === 'Escape' || keys === 'Enter' && element.tagName === 'INPUT' || suggests && /^Arrow/.test(keys)
        : keys.length > 1 && !/^(Shift|Control|Alt|Meta|Tab|CapsLock|Dead|Process)$/.test(event.key)
          && !(/^(Enter| )$/.test(keys) && element.matches('a, button, input, summary'));
      if (!event.isTrusted || !counts) return;
      if (field && keys === 'Enter' && typing === element) { tell('fill', element, element.value); typing = null; told = element.value; }
      tell('press', element, keys);
      entered = keys === 'Enter';  // a form then clicks its button by itself
      setTimeout(() => { entered = false }, 0);
    }, true);
  }
  addEventListener('input', event => {
    const element = event.composedPath()[0];
    if (element === typing || !/^(INPUT|TEXTAREA)$/.test(element.tagName)) return;
    typing = element;
    report(JSON.stringify({type: 'typing'}));
  }, true);
  addEventListener('change', event => {
    const element = event.composedPath()[0];
    typing = null;
    const again = told !== null && told === element.value;
    told = null;
    if (again) return;
    if (element.tagName === 'SELECT') tell('select', element, element.selectedOptions[0]?.label);
    else if (element.type === 'file') element.files.length && tell('upload', element, element.files[0].name);
    else if (element.tagName === 'TEXTAREA' || element.tagName === 'INPUT' && !/^(checkbox|radio|button|submit|reset)$/.test(element.type))
      tell('fill', element, element.value);
  }, true);
}
