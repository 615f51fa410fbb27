import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram, serve, wordsOf, world } from './command.ts'
import { ROOT } from './source-files.ts'

const DEMO = 'http://127.0.0.1:8080'

/** Returns the code blocks of a README that are in `language`. */
async function blocks(language: string, readme = 'README.md'): Promise<string[]> {
  const text = await readFile(join(ROOT, readme), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '')
}

test('the program in the README runs and answers the commands in the README', async (t) => {
  // The folder is inside the repository, so that the program can import the packages by name.
  const folder = await mkdtemp(join(ROOT, 'test', 'readme-'))
  t.after(() => rm(folder, { recursive: true }))
  const { origin } = await serve(t, 'examples/solar-system', '--store', `sqlite:${join(folder, 'sol.db')}`)

  const programs = await blocks('js')
  assert.ok(programs.length > 0)
  for (const [index, program] of programs.entries()) {
    const file = join(folder, `program-${index}.mjs`)
    await writeFile(file, program.replaceAll(DEMO, origin))
    const { code, stdout, stderr } = await runProgram(file, [])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Europa among [1-9]/)
    assert.match(stdout, /^Jupiter [0-9.]+ km$/m)
  }

  const commands = (await blocks('sh'))
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx worldwright ') && line.includes(DEMO))
  assert.ok(commands.length >= 3)
  for (const command of commands) {
    const { code, stdout, stderr } = await world(...wordsOf(command.replaceAll(DEMO, origin)).slice(2))
    assert.equal(code, 0, `${command}\n${stderr}`)
    assert.match(stdout, /Europa|Sol|sol:planet saturn +\d/, command)
  }
})

test('the program in the README of the package publish loads a folder', async (t) => {
  const folder = await mkdtemp(join(ROOT, 'test', 'readme-'))
  t.after(() => rm(folder, { recursive: true }))
  const programs = await blocks('js', 'packages/publish/README.md')
  const program =
    programs.find((text) => text.includes('loadWorld')) ?? assert.fail('there is no such program')
  const file = join(folder, 'program.mjs')
  const answer = `
const get = { method: 'GET', target: '/.well-known/world.json', headers: {}, origin: 'http://127.0.0.1' }
const { status, body } = await handler.handle(get)
console.log(status, JSON.parse(new TextDecoder().decode(body)).entityTypes.map(({ type }) => type).join())
`
  await writeFile(file, program.replace('examples/', `${ROOT}/examples/`) + answer)
  const { code, stdout, stderr } = await runProgram(file, [])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^started\nprogress\n/)
  assert.match(stdout, /^200 .*sol:planet/m)
})

test('every file to which the README links exists', async () => {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8')
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)].map((match) => match[1] ?? '')
  assert.ok(links.length > 5)
  for (const link of links) if (!link.startsWith('http')) assert.ok(await exists(join(ROOT, link)), link)
})

async function exists(path: string): Promise<boolean> {
  const { access } = await import('node:fs/promises')
  return access(path).then(
    () => true,
    () => false,
  )
}
