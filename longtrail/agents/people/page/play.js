// play.js: the page in which a person plays. All that comes from sites and tasks is shown as text, never as markup.
const by = selector => document.querySelector(selector);
const canvas = by('canvas'), screen_ = by('#screen'), form = by('aside form'), pieces = by('#evidence ol');
let socket, over = false, size = {width: 1280, height: 720}, limit = 0, task = '', moved = null, closing = false, reading = 0;

const send = message => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
const say = text => { by('#state').textContent = text; };
const make = (name, text, attributes = {}) => {
  const element = Object.assign(document.createElement(name), {textContent: text});
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

function connect() {
  socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[^/]*$/, 'socket'));
  socket.binaryType = 'blob';
  socket.onmessage = event => typeof event.data === 'string' ? receive(JSON.parse(event.data)) : draw(event.data);
  socket.onclose = event => {
    by('main').inert = true;
    if (event.code === 4000) return say('This case is open in another window.');
    if (over) return;
    say('No connection. Is pytest still running?');
    setTimeout(connect, 1000);
  };
}

async function draw(blob) {
  const picture = await createImageBitmap(blob);
  if (canvas.width !== picture.width || canvas.height !== picture.height) Object.assign(canvas, {width: picture.width, height: picture.height});
  canvas.getContext('2d').drawImage(picture, 0, 0);
  readSoon();
}

// The page may have changed: read its text, at most once a second.
function readSoon() {
  reading ||= setTimeout(() => { reading = 0; by('#text').open && send({type: 'ask', what: 'text'}); }, 1000);
}

const RECEIVE = {
  task: show,
  steps({steps}) { showSteps(steps); readSoon(); },
  screen: message => { size = message; },
  page({url, tabs, screen}) {
    for (const part of ['#screen', '#bar', '#tabs']) by(part).hidden = !screen;
    by('#window').hidden = screen;
    if (document.activeElement !== by('#address')) by('#address').value = url;
    by('#tabs').hidden = !screen || tabs.length < 2;
    by('#tabs').replaceChildren(...tabs.map(({title, shown}, number) => {
      const button = make('button', title, {type: 'button', 'aria-pressed': shown});
      button.onclick = () => send({type: 'tab', number});
      return button;
    }));
    readSoon();
  },
  text({text, url}) {
    const shown = by('#text pre');
    shown.dataset.url = url;
    if (shown.textContent !== text) shown.textContent = text;
  },
  selection({text, url}) { text ? pick(text, url) : say('Select words in the browser or in its text first.'); },
  options({options, x, y}) {
    const list = by('#options');
    list.replaceChildren(...options.map(({label, disabled, selected}, number) => {
      const button = make('button', label || '(empty)', {type: 'button', role: 'option', 'aria-selected': selected});
      button.disabled = disabled;
      button.onclick = () => { list.hidden = true; send({type: 'choose', number}); screen_.focus(); };
      return button;
    }));
    list.hidden = false;
    const scale = canvas.clientWidth / size.width;
    list.style.left = `${Math.max(0, Math.min(x * scale, canvas.clientWidth - list.offsetWidth))}px`;
    list.style.top = `${Math.max(0, Math.min(y * scale, canvas.clientHeight - list.offsetHeight))}px`;
    (list.querySelector('[aria-selected=true]') || list.firstElementChild)?.focus();
  },
  dialog({kind, message, value}) {
    const question = by('#question'), input = question.querySelector('input');
    question.querySelector('p').textContent = `The page says: ${message}`;
    question.querySelector('[value=cancel]').hidden = kind === 'alert';
    input.hidden = kind !== 'prompt';
    input.value = value;
    question.returnValue = '';
    question.onclose = () => send({type: 'dialog', accept: question.returnValue === 'ok', text: input.value});
    if (!question.open) question.showModal();
  },
  problem: ({message}) => problem(message),
  wait() { by('main').inert = true; over || say('This part is over. The next one is being prepared …'); },
  over() { by('main').inert = true; over || say('That was all. You can close this page.'); over = true; },
};
const receive = message => RECEIVE[message.type]?.(message);
const problem = text => { by('#problem').textContent = text; };

function showSteps(steps) { by('#steps').textContent = `${steps} of ${limit} steps`; }

function show(message) {
  const {prompt, history, decisions, steps} = message, decides = decisions.length > 0;
  limit = message.step_limit;
  by('main').hidden = by('main').inert = false;
  problem('');
  showSteps(steps);
  by('#prompt').textContent = prompt;
  by('#history').hidden = !history;
  by('#history summary').textContent = `What was done before (${Math.round(history.length / 1000)} thousand characters)`;
  if (by('#history pre').textContent !== history) by('#history pre').textContent = history;
  for (const part of document.querySelectorAll('[data-for]')) part.hidden = (part.dataset.for === 'decide') !== decides;
  by('#decision').hidden = !decides;
  by('#decision div').replaceChildren(...decisions.map(name => {
    const label = make('label', ` ${name}`);
    label.prepend(make('input', '', {type: 'radio', name: 'decision', value: name}));
    return label;
  }));
  fill(message.form);
  say(task && task !== prompt ? 'This is the next task.' : '');
  if (task !== prompt) { by('aside').scrollTop = by('#browser').scrollTop = 0; by('#history').open = false; by('#options').hidden = true; }
  task = prompt;
}

function fill({justification = '', response = '', answer = '', decision = '', evidence = []}) {
  form.reset();
  Object.assign(form.elements.justification, {value: justification});
  Object.assign(form.elements.response, {value: response});
  Object.assign(form.elements.answer, {value: answer});
  for (const choice of form.querySelectorAll('[name=decision]')) choice.checked = choice.value === decision;
  pieces.replaceChildren();
  for (const piece of evidence) addPiece(piece);
}

function addPiece({quote, source, shows = '', use = 'for'}) {
  const piece = by('#piece').content.cloneNode(true).firstElementChild;
  quote = quote.trim().slice(0, 4000);
  piece.dataset.source = source;
  piece.querySelector('blockquote').textContent = quote;
  piece.querySelector('.source').textContent = quote.length > 400 ? `${source} · only the first 400 characters count` : source;
  piece.querySelector('textarea').value = shows;
  piece.querySelector('select').value = use;
  piece.querySelector('button').onclick = () => { piece.remove(); draft(); };
  pieces.append(piece);
}

function pick(quote, source) {
  addPiece({quote, source});
  pieces.lastElementChild.scrollIntoView({block: 'nearest'});
  say(`Evidence: ${pieces.children.length} of at most 12 pieces`);
  draft();
}

function written() {
  const value = name => form.elements[name].value;
  const decision = form.querySelector('[name=decision]:checked')?.value ?? '';
  const evidence = [...pieces.children].map(piece => ({
    source: piece.dataset.source, quote: piece.querySelector('blockquote').textContent,
    shows: piece.querySelector('textarea').value, use: piece.querySelector('select').value,
  }));
  return {decision, justification: value('justification'), response: value('response'), answer: value('answer'), evidence};
}
const draft = () => send({type: 'draft', form: written()});

form.oninput = draft;
form.onsubmit = event => { event.preventDefault(); problem(''); send({type: 'done', report: written()}); };
by('#stop').onclick = () => { if (confirm('Stop for now? This case is not scored; you play it again when the run goes on with --resume.')) { over = true; send({type: 'stop'}); say('Stopped. You can close this page.'); } };
by('#add').onclick = () => {
  const selection = getSelection(), text = by('#text pre');
  if (String(selection).trim() && text.contains(selection.anchorNode)) pick(String(selection), text.dataset.url);
  else send({type: 'ask', what: 'selection'});
};
by('#text').ontoggle = readSoon;

for (const button of document.querySelectorAll('[data-go]')) button.onclick = () => send({type: 'go', to: button.dataset.go});
by('#address').onkeydown = event => { if (event.key === 'Enter') { send({type: 'go', to: 'url', url: by('#address').value}); screen_.focus(); } };

// The mouse and the keys in the browser.
const place = event => {
  const box = canvas.getBoundingClientRect();
  return {x: (event.clientX - box.left) * size.width / box.width, y: (event.clientY - box.top) * size.height / box.height};
};
const mouse = (kind, event, more = {}) => send({type: 'mouse', kind, ...place(event), ...more});
const button = event => ({button: ['left', 'middle', 'right'][event.button] ?? 'left', clicks: Math.min(3, Math.max(1, event.detail))});
canvas.onmousedown = event => {
  event.preventDefault();
  screen_.focus();
  closing = !by('#options').hidden;
  closing ? closeOptions() : mouse('down', event, button(event));
};
canvas.onmouseup = event => closing || mouse('up', event, button(event));
canvas.onmousemove = event => {
  moved ?? requestAnimationFrame(() => { mouse('move', moved); moved = null; });
  moved = event;
};
canvas.oncontextmenu = event => event.preventDefault();
canvas.addEventListener('wheel', event => { event.preventDefault(); mouse('wheel', event, {dx: event.deltaX, dy: event.deltaY}); }, {passive: false});
function closeOptions() { by('#options').hidden = true; send({type: 'choose', number: null}); }
by('#options').onkeydown = event => { if (event.key === 'Escape') { closeOptions(); screen_.focus(); } event.stopPropagation(); };
screen_.onkeydown = event => {
  const {key, ctrlKey, altKey, metaKey, shiftKey} = event, pastes = (ctrlKey || metaKey) && key.toLowerCase() === 'v';
  if (key === 'F6') return screen_.blur();
  if (event.isComposing || pastes || ['Control', 'Alt', 'Meta', 'Shift', 'Dead', 'AltGraph', 'Unidentified'].includes(key)) return;
  event.preventDefault();
  if (key.length === 1 && !ctrlKey && !metaKey) return send(key >= ' ' && key <= '~' ? {type: 'key', key} : {type: 'insert', text: key});
  const held = [[ctrlKey || metaKey, 'Control'], [altKey, 'Alt'], [shiftKey, 'Shift']].filter(([down]) => down).map(([, name]) => name);
  send({type: 'key', key: [...held, key].join('+')});
};
addEventListener('paste', event => {
  if (document.activeElement === screen_) send({type: 'insert', text: event.clipboardData.getData('text').slice(0, 20000)});
});
connect();
