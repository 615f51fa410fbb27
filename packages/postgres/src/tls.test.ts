import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { Database } from './database.ts'
import { freePort, NO_POSTGRES, runAsOwner, serverFolder, startPostgres } from './server.fixture.ts'

/** Address of this machine that is not treated as local, so that a certificate is required. */
const NAMED = '127.0.0.2'
const OTHER = '127.0.0.3'

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Creates a certificate authority and a certificate for one address, in a folder that a server can read. */
async function certificates(): Promise<string> {
  const folder = await serverFolder()
  const openssl = (...args: readonly string[]) => runAsOwner('openssl', args, folder)
  const names = join(folder, 'names')
  await writeFile(names, `subjectAltName=IP:${NAMED}\n`)
  await openssl(
    'req',
    '-x509',
    ...KEY,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-days',
    '2',
    '-subj',
    '/CN=Test',
  )
  await openssl('req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  const by = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', names]
  await openssl('x509', '-req', '-in', 'server.csr', '-out', 'server.crt', ...by)
  return folder
}

const folder = await certificates()
const tls = [
  'ssl=on',
  ...['cert', 'key'].map(
    (part) => `ssl_${part}_file=${join(folder, `server.${part === 'key' ? 'key' : 'crt'}`)}`,
  ),
]
const port = await freePort()
const plainPort = await freePort()
const secure = await startPostgres({ port, settings: tls })
const plain = await startPostgres({ port: plainPort })
after(async () => {
  await secure?.end()
  await plain?.end()
  await rm(folder, { recursive: true })
})

/** Reports whether a connection to `address` uses TLS. */
async function asked(t: TestContext, address: string, parameters = ''): Promise<boolean | undefined> {
  const database = new Database(`postgres://world@${address}/postgres${parameters}`)
  t.after(() => database.close())
  const [row] = await database.query<{ ssl: boolean }>(
    'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
  )
  return row?.ssl
}

test('the certificate of a remote server is verified against the given authority and host', async (t) => {
  if (!secure || !plain) return t.skip(NO_POSTGRES)
  const trusted = `?sslrootcert=${join(folder, 'ca.crt')}`
  const refused = (address: string, parameters: string, message: RegExp) =>
    assert.rejects(asked(t, address, parameters), { code: 'unreachable', message })
  assert.equal(await asked(t, `${NAMED}:${port}`, trusted), true)
  assert.equal(await asked(t, `127.0.0.1:${port}`), false, 'on this machine there is none')
  await refused(
    `${NAMED}:${port}`,
    '',
    /127\.0\.0\.2:\d+: nobody who is trusted has signed its certificate.*sslrootcert=FILE/,
  )
  await refused(`${OTHER}:${port}`, trusted, /its certificate is for another name: .*127\.0\.0\.3/)
  await refused(`${NAMED}:${plainPort}`, trusted, /it has no TLS.*sslmode=disable/)
  assert.equal(await asked(t, `${NAMED}:${plainPort}`, '?sslmode=disable'), false)
  // With `verify-full`, the certificate of a local server is verified too.
  await refused(`127.0.0.1:${port}`, `${trusted}&sslmode=verify-full`, /is for another name/)
})

test('an unreadable sslrootcert file is named in the error', () => {
  assert.throws(() => new Database('postgres://world@db.example/sol?sslrootcert=/nowhere/ca.crt'), {
    code: 'not_a_store',
    message: /its sslrootcert cannot be read: .*\/nowhere\/ca\.crt/,
  })
})
