// Drives a host with the official client, unmodified, and prints one JSON line a step.
// usage: node client.mjs legacy|modern URL
//        node client.mjs legacy|modern COMMAND ARGUMENT…      which it starts and speaks stdio with
//
// legacy is the client's default handshake; modern lets it discover the newest version by itself.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, target, ...args] = process.argv.slice(2);
const overHttp = target.startsWith('http:');

const asked = [];
let answer;

const client = new Client(
  { name: 'interop', version: '1.0.0' },
  {
    capabilities: { elicitation: {} },
    ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }),
  },
);

client.setRequestHandler('elicitation/create', async (request) => {
  asked.push(request.params);
  return answer;
});

function print(step, facts) {
  console.log(JSON.stringify({ step, ...facts }));
}

// Calls book_meeting, answering every question with `reply`, and prints how it ended.
async function book(step, topic, reply) {
  asked.length = 0;
  answer = reply;
  const result = await client.callTool({ name: 'book_meeting', arguments: { topic } });
  print(step, { text: result.content[0].text, isError: result.isError === true, asked: [...asked] });
}

const transport = overHttp
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, stderr: 'ignore' });
await client.connect(transport);
print('connect', {
  era: client.getProtocolEra(),
  version: client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion(),
});

const { tools } = await client.listTools();
print('list', { tools });

const yes = { action: 'accept', content: { approved: true, time: '14:30' } };
await book('accept', 'Q3 roadmap', yes);
await book('edited', 'Q3 budget', {
  action: 'accept',
  content: { ...yes.content, topic: 'Q4 budget' },
});
await book('unapproved', 'Unapproved', { action: 'accept', content: { approved: false } });
await book('decline', 'Declined', { action: 'decline' });
await book('cancel', 'Cancelled', { action: 'cancel' });
await book('rejected', 'a "quoted" topic', yes);

try {
  await client.callTool({ name: 'nope', arguments: {} });
  print('unknown', { error: null });
} catch (error) {
  print('unknown', { error: error.message, code: error.code });
}

if (era === 'legacy' && overHttp) {
  await transport.terminateSession();
}
await client.close();
print('end', {});
