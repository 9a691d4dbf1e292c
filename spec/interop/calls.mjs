// Calls tools with the official client, unmodified, and prints one JSON line a call.
// usage: node calls.mjs legacy|modern STEPS URL | COMMAND ARGUMENT…
//
// STEPS is JSON: [{ tool, args, answers, incapable, visit }…]. `answers` are the results of the
// questions in their order; `incapable` has the client declare nothing; `visit` goes to the URL that
// it is asked to open, as the person's browser would.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [era, steps, target, ...args] = process.argv.slice(2);

function connectTo() {
  return target.startsWith('http:')
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args, stderr: 'ignore' });
}

async function connect(incapable, told) {
  const client = new Client(
    { name: 'calls', version: '1.0.0' },
    {
      capabilities: incapable ? {} : { elicitation: { form: {}, url: {} } },
      ...(era === 'modern' && { versionNegotiation: { mode: 'auto' } }),
    },
  );
  if (!incapable) client.setRequestHandler('elicitation/create', (request) => told.answer(request.params));
  client.fallbackNotificationHandler = async (notification) => told.notifications.push(notification);
  await client.connect(connectTo());
  return client;
}

async function run({ tool, args: toolArguments, answers = [], incapable, visit }) {
  const told = { asked: [], notifications: [], left: [...answers] };
  told.answer = async (params) => {
    told.asked.push(params);
    if (visit) told.page = (await fetch(params.url)).status;
    return told.left.shift() ?? { action: 'cancel' };
  };
  const client = await connect(incapable, told);
  const line = { asked: told.asked, notifications: told.notifications };
  try {
    const result = await client.callTool({ name: tool, arguments: toolArguments ?? {} });
    Object.assign(line, { text: result.content[0].text, isError: result.isError === true });
  } catch (error) {
    Object.assign(line, { code: error.code, message: error.message, data: error.data });
  }
  await client.close();
  console.log(JSON.stringify({ ...line, page: told.page }));
}

for (const step of JSON.parse(steps)) await run(step);
