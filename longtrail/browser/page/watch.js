// watch.js: what somebody else does on the page: clicks, fields filled in, options chosen, and the page's state when it was
// left; sent to `report` as JSON. (When another document is loading, the page can't be queried any more.)
// `person`: clicks that only focus a field, select a text or hit nothing are left out, as agents make none.
// `recorded`: keys, double clicks and clicks with the right button are told, too.
const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox']);
function watch(report, form, person, recorded) {
  const idle = (control, element) => control ? FIELDS.has(roleOf(control)) : String(getSelection()) || getComputedStyle(element).cursor !== 'pointer';
  const state = type => document.body && report(JSON.stringify({type, seen: JSON.parse(observeSources(form, false))}));
  addEventListener('beforeunload', () => state('left'), true);
  const tell = (type, element, value) => {
    if (!wasRead) state('unread');  // it was used faster than it was read: the action was done on this state
    const role = roleNow(element);
    report(JSON.stringify({type, value: String(value ?? '').slice(0, 2000), url: location.href, target: targetOf(element, role)}));
  };
  const used = event => {
    const path = event.composedPath().filter(node => node.nodeType === 1);
    const control = path.find(node => INTERACTIVE.has(roleOf(node)));
    return {control, element: control || path[0]};
  };
  let typing = null, entered = false, told = null;
  addEventListener('click', event => {
    const {control, element} = used(event), double = recorded && event.detail === 2;
    if (!element || element.tagName === 'OPTION' || entered && !event.detail) return;
    if (person && event.isTrusted && !double && idle(control, element)) return;
    tell(!event.isTrusted ? 'scripted' : double ? 'double_click' : 'click', element);
  }, true);
  if (recorded) {
    addEventListener('contextmenu', event => event.button === 2 && used(event).element && tell('right_click', used(event).element), true);
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
