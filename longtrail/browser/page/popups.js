// popups.js: windows that a script opens by itself are blocked, as browsers do; a click or a key may open a few.
(() => {
  const MOST = 3, open = window.open;
  let left = MOST;
  for (const name of ['mousedown', 'keydown']) addEventListener(name, event => { if (event.isTrusted) left = MOST; }, true);
  window.open = {open(url, target) {
    const own = /^_(self|parent|top)$/i.test(String(target ?? ''));
    if (!own && (!navigator.userActivation?.isActive || left-- <= 0)) return null;
    return open.apply(this === globalThis || this === undefined ? window : this, arguments);
  }}.open;
})()
