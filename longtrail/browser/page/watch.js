// watch.js: what somebody else does on the page: clicks, fields filled in, options chosen, and the page's state when it was
// left; sent to `report` as JSON. (When another document is loading, the page can't be queried any more.)
// `person`: clicks that only focus a field, select a text or hit nothing are left out, as agents make none.
const FIELDS = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox', 'listbox']);
function watch(report, form, person) {
  const idle = (control, element) => control ? FIELDS.has(roleOf(control)) : String(getSelection()) || getComputedStyle(element).cursor !== 'pointer';
  addEventListener('beforeunload', () => document.body && report(JSON.stringify({type: 'left', seen: JSON.parse(observeSources(form, false))})), true);
  const tell = (type, element, value) => {
    const role = roleNow(element);
    report(JSON.stringify({type, value: String(value ?? '').slice(0, 2000), url: location.href, target: targetOf(element, role)}));
  };
  addEventListener('click', event => {
    const path = event.composedPath().filter(node => node.nodeType === 1);
    const control = path.find(node => INTERACTIVE.has(roleOf(node))), element = control || path[0];
    if (person && event.isTrusted && element && idle(control, element)) return;
    if (element && element.tagName !== 'OPTION') tell(event.isTrusted ? 'click' : 'scripted', element);
  }, true);
  let typing = null;
  addEventListener('input', event => {
    const element = event.composedPath()[0];
    if (element === typing || !/^(INPUT|TEXTAREA)$/.test(element.tagName)) return;
    typing = element;
    report(JSON.stringify({type: 'typing'}));
  }, true);
  addEventListener('change', event => {
    const element = event.composedPath()[0];
    typing = null;
    if (element.tagName === 'SELECT') tell('select', element, element.selectedOptions[0]?.label);
    else if (element.tagName === 'TEXTAREA' || element.tagName === 'INPUT' && !/^(checkbox|radio|button|submit|reset)$/.test(element.type))
      tell('fill', element, element.value);
  }, true);
}
