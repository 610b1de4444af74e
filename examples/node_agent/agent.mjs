// An agent in a process of its own, in another language: two messages over HTTP, no dependencies.
//   node examples/node_agent/agent.mjs 8700
//   pytest -m shopping_admin --agent http://127.0.0.1:8700
import {createServer} from 'node:http';

const MAX_CLICKS = 5;
const episodes = new Map();   // what is kept of one phase of one episode

const words = text => new Set(text.toLowerCase().match(/[a-z]{4,}|\d+/g) ?? []);
const shared = (text, wanted) => [...words(text)].filter(word => wanted.has(word)).length;

function best(items, score) {
  let found = null, most = 0;
  for (const item of items) if (score(item) > most) [found, most] = [item, score(item)];
  return found;
}

// POST /act: the page and the assignment come in, one action goes out.
function act({episode, assignment, observation}) {
  if (!episodes.has(episode)) { episodes.clear(); episodes.set(episode, {clicked: new Set(), notes: []}); }
  const {clicked, notes} = episodes.get(episode), wanted = words(assignment.prompt);
  const line = best(observation.text.split('\n'), each => shared(each, wanted)) ?? '';
  notes.push({source: observation.url, quote: line.trim().slice(0, 300)});
  const links = [...observation.text.matchAll(/\[(\d+)\] link "([^"]+)"/g)].filter(([, , name]) => !clicked.has(name));
  const link = clicked.size < MAX_CLICKS && best(links, ([, , name]) => shared(name, wanted));
  if (link) {
    clicked.add(link[2]);
    return {action: {type: 'click', id: link[1]}, thought: `"${link[2]}" fits the task.`};
  }
  const said = notes.map(note => `${note.source}: ${note.quote}`).join('; ');
  const action = assignment.decisions.length
    ? {type: 'decide', decision: assignment.decisions[0], justification: said, evidence: notes}
    : {type: 'finish', answer: said};
  return {action, thought: `I have read ${notes.length} pages.`};
}

// POST /observe: what the action did. This agent has nothing to say to it.
const observe = () => ({});

const server = createServer((request, response) => {
  const answer = {'/act': act, '/observe': observe}[request.url];
  let body = '';
  request.setEncoding('utf8').on('data', piece => { body += piece; }).on('end', () => {
    const [status, value] = answer ? [200, answer(JSON.parse(body))] : [404, {}];
    response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(value));
  });
});
server.listen(Number(process.argv[2] ?? 8700), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
