// The least that a process of Node can be: one that listens and has nothing to do.
require('node:net')
  .createServer()
  .listen(process.argv[2], () => process.stdout.write('ready\n'));
