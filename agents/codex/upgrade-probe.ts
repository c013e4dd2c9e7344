import net from 'node:net';

/** What a client says to have a connection upgraded (RFC 6455, section 4.1). The key is that of the RFC's example. */
const HANDSHAKE = [
  'GET /rpc HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '\r\n',
].join('\r\n');
const UPGRADED = 'HTTP/1.1 101';
/** A server that has just come up has more to do than to take leave: the interface would wait for both. */
const HANG_UP_AFTER_MS = 1_000;

/**
 * Asks whether an app-server upgrades connections by now, and hangs up a moment later: nothing is said to it, so it stays
 * as nameless as it was. By hand, because the library would have to be loaded while somebody waits for the server.
 *
 * @param realPath the socket itself, as `resolveControlSocket` found it.
 * @returns false when nobody upgrades the connection within `timeoutMs`. Never rejects.
 */
export function upgradesConnections(realPath: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = net.createConnection({ path: realPath });
    const timer = setTimeout(() => settle(false), timeoutMs);
    let answer = '';
    function settle(upgrades: boolean) {
      clearTimeout(timer);
      resolve(upgrades);
      if (upgrades) setTimeout(() => connection.destroy(), HANG_UP_AFTER_MS).unref();
      else connection.destroy();
    }
    connection.on('connect', () => connection.write(HANDSHAKE));
    connection.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (answer.length >= UPGRADED.length) settle(answer.startsWith(UPGRADED));
    });
    connection.on('error', () => settle(false));
    connection.on('close', () => settle(false));
  });
}
