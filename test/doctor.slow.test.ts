import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { serve, world } from './command.ts'
import { freePort } from './free-port.ts'
import { startProxy } from './hostile/proxy.fixture.ts'

/** Serves the demo world and creates an admin token. The public URL is that of a proxy that the test starts later. */
async function behind(t: TestContext, ...flags: string[]) {
  const folder = await emptyFolder(t)
  const store = `sqlite:${join(folder, 'sol.db')}`
  const port = await freePort()
  const worldPort = await freePort()
  const named = flags.includes('--trust-proxy') ? [] : ['--public-url', `http://127.0.0.1:${port}`]
  const shared = ['--store', store, '--workers', '1', '--operator', '--port', `${worldPort}`]
  await serve(t, 'examples/solar-system', ...shared, ...named, ...flags)
  const made = await world('token', 'create', 'examples/solar-system', '--scope', 'admin', '--store', store)
  return { port, worldPort, token: made.stdout.trim() }
}

/** Runs `world doctor`. Returns the names of its findings in order, the findings, and the proxy that it detected. */
async function findings(port: number, ...flags: string[]) {
  const { code, stdout, stderr } = await world('doctor', `http://127.0.0.1:${port}`, '--json', ...flags)
  const { findings, proxy }: { findings: { name: string; proxies?: object }[]; proxy?: string } =
    JSON.parse(stdout)
  assert.equal(code, findings.length === 0 ? 0 : 1, stderr)
  return { names: findings.map(({ name }) => name), findings, proxy }
}

/** Returns a function that adds a line to the `location /` block of the guide's nginx configuration. */
const inLocation = (line: string) => (block: string) =>
  block.replace('proxy_http_version 1.1;', () => `proxy_http_version 1.1;\n${line}`)

const NGINX: readonly (readonly [string, readonly string[], (block: string) => string])[] = [
  ['as the guide has it', [], (block) => block],
  [
    'a slash behind proxy_pass',
    ['encoded_slash'],
    (block) => block.replace('http://world;', 'http://world/;'),
  ],
  [
    'a path without its query',
    ['query', 'encoded_slash'],
    (block) => block.replace('http://world;', 'http://world$uri;'),
  ],
  ['small uploads', ['small_uploads'], (block) => block.replace('client_max_body_size 0;', '')],
  [
    'errors of its own',
    ['encoded_slash', 'small_target', 'errors', 'methods', 'small_uploads'],
    inLocation('proxy_intercept_errors on; error_page 400 401 404 405 413 /none;'),
  ],
  ['a second header for CORS', ['cors'], inLocation('add_header Access-Control-Allow-Origin * always;')],
  [
    'caching of its own',
    ['caching'],
    inLocation('proxy_hide_header Cache-Control; add_header Cache-Control "public, max-age=600";'),
  ],
  ['no tags', ['tags'], inLocation('proxy_hide_header ETag;')],
  ['no compression', ['not_compressed'], inLocation('proxy_set_header Accept-Encoding "";')],
  [
    'only reading',
    ['preflight', 'small_body', 'small_uploads', 'methods'],
    (block) =>
      inLocation('limit_except GET { deny all; }')(block).replace(
        'client_max_body_size 0;',
        'limit_except GET { deny all; }',
      ),
  ],
  [
    'small buffers',
    ['small_target', 'small_headers'],
    (block) => block.replace('buffers 4 16k;', () => 'buffers 4 2k;'),
  ],
  ['the API alone', ['not_the_world'], (block) => block.replace('location / {', 'location /api/ {')],
]

test('nginx: doctor reports the fault of each faulty deployment, and no fault of the documented one', async (t) => {
  const { port, worldPort } = await behind(t)
  for (const [name, expected, changed] of NGINX) {
    await t.test(name, async (t) => {
      if (!(await startProxy(t, 'nginx', port, worldPort, changed))) return
      const { names, proxy, findings: found } = await findings(port)
      assert.deepEqual(names.toSorted(), expected.toSorted(), JSON.stringify(found, undefined, 1))
      assert.equal(proxy, 'nginx')
      for (const { name, proxies = {} } of found)
        assert.ok('nginx' in proxies, `${name} has advice for nginx`)
    })
  }
})

test('HAProxy: doctor reports the fault of each faulty deployment, and no fault of the documented one', async (t) => {
  const { port, worldPort } = await behind(t)
  const inFrontend = (line: string) => (block: string) =>
    block.replace('default_backend world', () => `${line}\n    default_backend world`)
  for (const [name, expected, changed] of [
    ['as the guide has it', [], (block: string) => block],
    ['no OPTIONS', ['preflight'], inFrontend('http-request deny if METH_OPTIONS')],
    [
      'decoded paths',
      ['encoded_slash'],
      inFrontend('http-request set-path %[path,url_dec] if { path_sub doctor }'),
    ],
    ['tags taken away', ['tags'], inFrontend('http-response del-header ETag')],
    [
      'a world that is down',
      ['upstream_down'],
      (block: string) => block.replace(/server world .*/, 'server world 127.0.0.1:1'),
    ],
  ] as const) {
    await t.test(name, async (t) => {
      if (!(await startProxy(t, 'haproxy', port, worldPort, changed))) return
      const { names, findings: found } = await findings(port, '--proxy', 'haproxy')
      assert.deepEqual(names, expected, JSON.stringify(found, undefined, 1))
    })
  }
})

test('doctor reports a missing public URL and trust in every client', async (t) => {
  const untold = await serve(
    t,
    'examples/solar-system',
    '--store',
    `sqlite:${join(await emptyFolder(t), 'sol.db')}`,
    '--workers',
    '1',
  )
  const port = await freePort()
  if (!(await startProxy(t, 'nginx', port, Number(new URL(untold.origin).port)))) return
  assert.deepEqual((await findings(port)).names, ['address'])
  const trusting = await behind(t, '--trust-proxy')
  const passed = (block: string) => block.replace('proxy_set_header X-Forwarded-Host $http_host;', '')
  if (!(await startProxy(t, 'nginx', trusting.port, trusting.worldPort, passed))) return
  assert.deepEqual((await findings(trusting.port)).names, ['forwarded'])
})

test('doctor reports an untrusted certificate', async (t) => {
  const { port, worldPort } = await behind(t)
  const folder = await emptyFolder(t)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const encrypted = (block: string) =>
    block.replace(
      `listen 127.0.0.1:${port};`,
      `listen 127.0.0.1:${port} ssl; ssl_certificate ${certificate}; ssl_certificate_key ${key};`,
    )
  if (!(await startProxy(t, 'nginx', port, worldPort, encrypted))) return
  const { stdout } = await world('doctor', `https://127.0.0.1:${port}`, '--json')
  const { findings } = JSON.parse(stdout)
  // The discovery document names an http:// URL as well, because `serve` was given one.
  assert.deepEqual(
    findings.map(({ name }: { name: string }) => name),
    ['certificate', 'address'],
  )
})

test('doctor reports that a proxy drops the token of a private world or caches its answers', async (t) => {
  const { port, worldPort, token } = await behind(t, '--private')
  const cached = (block: string) =>
    `proxy_cache_path ${t.name.length}cache keys_zone=shared:1m;\n${inLocation(
      'proxy_cache shared; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control Vary;',
    )(block)}`
  for (const [name, expected, changed] of [
    ['as the guide has it', [], (block: string) => block],
    ['no Authorization', ['authorization'], inLocation('proxy_set_header Authorization "";')],
    ['a shared cache', ['not_compressed', 'request_id', 'private_cached'], cached],
  ] as const) {
    await t.test(name, async (t) => {
      if (!(await startProxy(t, 'nginx', port, worldPort, changed))) return
      const { names, findings: found } = await findings(port, '--token', token)
      assert.deepEqual(names, expected, JSON.stringify(found, undefined, 1))
    })
  }
})

test('doctor reports a wrong clock and publicly readable metrics', async (t) => {
  const { port, worldPort } = await behind(t)
  const crooked = createServer((request, response) => {
    if (request.url === '/metrics') {
      response.end('# HELP world_entities Entities of each type.\n')
      return
    }
    const { method, url: path, headers } = request
    const onward = forward({ port: worldPort, method, path, headers }, (answer) => {
      const date = new Date(Date.now() - 3_600_000).toUTCString()
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, date, server: 'Apache/2.4' })
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => crooked.listen(port, '127.0.0.1', resolve))
  t.after(async () => {
    crooked.closeAllConnections()
    crooked.close()
  })
  const { names, proxy } = await findings(port)
  assert.deepEqual([names, proxy], [['clock', 'exposed'], 'apache'])
})

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'doctor-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}
