// The official client, unmodified, behind a proxy that loses its connections in the middle of a
// call. usage: node resume.mjs URL; prints one JSON line a step.
import { connect, createServer } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const url = new URL(process.argv[2]);
const sockets = new Set();

// Hands bytes on in both directions, and is what loses connections.
const proxy = createServer((near) => {
  const far = connect(Number(url.port), url.hostname);
  for (const [one, other] of [[near, far], [far, near]]) {
    sockets.add(one);
    one.on('error', () => {});
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }
});
await new Promise((done) => proxy.listen(0, '127.0.0.1', done));

function loseConnections() {
  for (const socket of sockets) socket.destroy();
}

function print(step, facts) {
  console.log(JSON.stringify({ step, ...facts }));
}

const client = new Client(
  { name: 'interop', version: '1.0.0' },
  { capabilities: { elicitation: {} } },
);
let asked = 0;
let lose = false;
let noticed;
client.setRequestHandler('elicitation/create', async () => {
  asked += 1;
  if (lose) {
    // The answer must not go out on a connection that is being lost: its stream and that of the
    // session have ended before it does.
    const both = new Promise((done) => {
      noticed = done;
    });
    loseConnections();
    await both;
  }
  return { action: 'accept', content: { ok: true } };
});

async function call(step, name) {
  asked = 0;
  const result = await client.callTool({ name, arguments: {} });
  print(step, { text: result.content[0].text, asked });
}

const target = new URL(url);
target.port = String(proxy.address().port);
const transport = new StreamableHTTPClientTransport(target);
let errors = 0;
transport.onerror = () => {
  errors += 1;
  if (errors === 2) setImmediate(noticed);
};
await client.connect(transport);
print('connect', { version: client.getNegotiatedProtocolVersion() });

await call('polled', 'poll');
lose = true;
await call('lost', 'ask');

await transport.terminateSession();
await client.close();
proxy.close();
loseConnections();
print('end', {});
