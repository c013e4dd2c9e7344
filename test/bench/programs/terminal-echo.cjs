// Sends every key back at once, as a program does that draws what is typed.
process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => process.stdout.write(keys));
process.stdout.write('ready');
