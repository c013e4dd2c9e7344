// The least that a server of JSON lines written in Node can do: parse each line and write it back.
const net = require('node:net');

const server = net.createServer((connection) => {
  let rest = '';
  connection.setEncoding('utf8');
  connection.on('error', () => {});
  connection.on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) connection.write(`${JSON.stringify(JSON.parse(line))}\n`);
  });
});
server.listen(process.argv[2], () => process.stdout.write('ready\n'));
