import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { isCommand } from './foreign-worlds.ts'
import { freePort } from './free-port.ts'
import { isPresentOrSkips } from './missing.ts'
import { ROOT } from './source-files.ts'

const MAIN = join(ROOT, 'packages/cli/src/main.ts')
const GUIDE = readFileSync(join(ROOT, 'docs/guides/deploy.md'), 'utf8')
const STEPS = [...GUIDE.matchAll(/^```sh\n(.*?)^```/gms)].map(([, step = '']) => step)
const FOLDERS = ['/opt/world', '/srv/world', '/etc', '/var/lib/world', '/var/backups/world']

/**
 * Scripts that stand in for commands of the machine. They run services as ordinary processes below the folder `$at`, by
 * the units and the Caddyfile that the guide has installed, and create no users.
 */
const COMMANDS: Readonly<Record<string, string>> = {
  useradd: 'exit 0',
  chown: 'exit 0',
  install: `shift 6; mkdir -p "$@"`,
  runuser: 'shift 3; exec "$@"',
  npm: `mkdir -p "$at/opt/world/node_modules/.bin"
printf '#!/bin/sh\\nexec "%s" --conditions=@worldwright/source "%s" "$@"\\n' "$node" "$main" > "$at/opt/world/node_modules/.bin/world"
chmod +x "$at/opt/world/node_modules/.bin/world"`,
  journalctl: 'cat "$at/world.log"',
  systemctl: `unit() { sed -e "s#/opt/world#$at/opt/world#g; s#/srv/world#$at/srv/world#g; s#/etc/world#$at/etc/world#g; s#/var/lib/world#$at/var/lib/world#g; s#/var/backups/world#$at/var/backups/world#g; s#9464#$admin#g" -e 's/%%/%/g' "$at/etc/systemd/system/$1"; }
value() { unit "$1" | sed -n "s/^$2=//p"; }
begin() {
  set -a
  for pair in $(value "$1" Environment); do eval "$pair"; done
  . "$(value "$1" EnvironmentFile | sed 's/^-//')"
  WORLD_PORT=$port
  set +a
  value "$1" ExecStart > "$at/$1.sh"
}
up() { begin world.service; sh -c "exec $(cat "$at/world.service.sh")" >> "$at/world.log" 2>&1 & echo $! > "$at/world.pid"; }
down() { kill "$(cat "$at/world.pid")"; tail --pid="$(cat "$at/world.pid")" -f /dev/null; }
case "$*" in
  daemon-reload) ls "$at"/etc/systemd/system/world.service "$at"/etc/systemd/system/world-backup.timer ;;
  'enable --now world.service world-backup.timer') up ;;
  'restart world.service') down; up ;;
  'start world-backup.service') begin world-backup.service; PATH="$real:$PATH" sh -e "$at/world-backup.service.sh" ;;
  'reload caddy') sed '0,/^{$/s//{\\n admin off\\n skip_install_trust\\n auto_https disable_redirects/' "$at/etc/caddy/Caddyfile" > "$at/Caddyfile"
    caddy run --adapter caddyfile --config "$at/Caddyfile" > "$at/caddy.log" 2>&1 & echo $! > "$at/caddy.pid"
    for _ in $(seq 100); do [ -e "$CURL_CA_BUNDLE" ] && break; sleep 0.1; done ;;
  stop) down || true; kill "$(cat "$at/caddy.pid")" ;;
  *) echo "unknown: $*" >&2; exit 1 ;;
esac`,
}

async function machine(t: TestContext) {
  const at = mkdtempSync(join(tmpdir(), 'machine-'))
  const [port, admin, tls] = [await freePort(), await freePort(), await freePort()]
  for (const folder of ['bin', 'etc/systemd/system', 'etc/caddy'])
    mkdirSync(join(at, folder), { recursive: true })
  for (const [name, script] of Object.entries(COMMANDS)) {
    writeFileSync(join(at, 'bin', name), `#!/usr/bin/env bash\nset -e\n${script}\n`)
    chmodSync(join(at, 'bin', name), 0o755)
  }
  const env = {
    ...process.env,
    PATH: `${at}/bin:${process.env['PATH']}`,
    at,
    node: process.execPath,
    main: MAIN,
    port: String(port),
    admin: String(admin),
    real: '/usr/bin:/bin',
    XDG_DATA_HOME: join(at, 'data'),
    CURL_CA_BUNDLE: join(at, 'data/caddy/pki/authorities/local/root.crt'),
  }
  const here = (step: string) =>
    FOLDERS.reduce(
      (said, path) => said.replaceAll(new RegExp(`(?<![\\w./])${path}\\b`, 'g'), at + path),
      step,
    )
      .replaceAll('world.example', `localhost:${tls}`)
      .replaceAll('127.0.0.1:9464', `127.0.0.1:${admin}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
  const run = async (step: string) => {
    // Redirect to a file: a service that a step starts keeps running, and would keep a pipe open.
    const child = spawn('bash', ['-c', `exec > "$at/out" 2>&1\nset -e\n${here(step)}`], { cwd: ROOT, env })
    const [[code]] = await Promise.all([once(child, 'exit'), text(child.stdout)])
    return { code, said: readFileSync(join(at, 'out'), 'utf8') }
  }
  t.after(() => {
    spawnSync('bash', [join(at, 'bin/systemctl'), 'stop'], { env })
    rmSync(at, { recursive: true, force: true })
  })
  return { at, tls, run, env }
}

test('the guide sets up and upgrades a world with TLS, logs, metrics and backups on an empty machine', async (t) => {
  for (const tool of ['Caddy', 'curl']) if (!isPresentOrSkips(t, isCommand(tool.toLowerCase()), tool)) return
  const { at, tls, run } = await machine(t)
  const said: string[] = []
  for (const step of STEPS) {
    const result = await run(step)
    assert.equal(result.code, 0, `${step}\n${result.said}`)
    said.push(result.said)
  }
  const [, , ready = '', discovery = '', log = '', metrics = '', backup = '', upgraded = ''] = said
  assert.match(ready, /\{"ready":true,"reasons":\[\],/)
  assert.equal(JSON.parse(discovery).endpoints.api, `https://localhost:${tls}/api/world/v0`)
  const record = JSON.parse(log.trimEnd().split('\n').at(-1) ?? '')
  assert.deepEqual([record.event, record.status], ['request', 200])
  assert.match(record.address, /^(?:127\.0\.0\.1|::1)$/)
  assert.match(metrics, /world_entities\{type="sol:moon"\} [1-9]/)
  assert.match(backup, /[0-9a-f]{16}/)
  assert.match(upgraded, /\{"ready":true,"reasons":\[\],/)
  assert.ok(readdirSync(join(at, 'var/backups/world')).length >= 1)
  assert.ok(existsSync(join(at, 'var/lib/world/restored/world.db')))
  // The proxy must forward paths unchanged, and its own errors must follow the protocol.
  const slash = await run(`curl --silent https://world.example/api/world/v0/entities/sol%3Amoon/a%2Fb`)
  assert.equal(JSON.parse(slash.said).code, 'entity_not_found')
  await run('systemctl stop; systemctl reload caddy')
  const down = await run(
    'until curl --silent https://world.example/.well-known/world.json; do sleep 0.1; done',
  )
  assert.equal(JSON.parse(down.said.slice(down.said.indexOf('{'))).code, 'unavailable')
})
