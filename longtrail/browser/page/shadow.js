// shadow.js: people see closed shadow trees, so this makes them readable for us. The page itself
// still gets them closed. (A tree that is closed in the page's source, `<template shadowrootmode=closed>`, stays closed.)
(() => {
  const closed = new WeakSet(), hosts = new WeakSet();
  const attach = Element.prototype.attachShadow;
  const told = (prototype, name, answer) => {
    const own = Object.getOwnPropertyDescriptor(prototype, name), get = own.get;
    Object.defineProperty(prototype, name, {...own, get: {get() { return answer.call(this, get); }}.get});
  };
  Element.prototype.attachShadow = {attachShadow(given) {
    if (given?.mode !== 'closed') return attach.apply(this, arguments);
    const root = attach.call(this, {...given, mode: 'open'});
    closed.add(root); hosts.add(this);
    return root;
  }}.attachShadow;
  told(Element.prototype, 'shadowRoot', function (get) { return hosts.has(this) ? null : get.call(this); });
  told(ShadowRoot.prototype, 'mode', function (get) { return closed.has(this) ? 'closed' : get.call(this); });
  const path = Event.prototype.composedPath;
  Event.prototype.composedPath = {composedPath() {
    const found = path.call(this), here = this.currentTarget?.getRootNode?.();
    const last = found.findLastIndex(node => closed.has(node) && node !== here);
    return last < 0 || found.indexOf(this.currentTarget) <= last ? found : found.slice(last + 1);
  }}.composedPath;
})()
