/** The guide on embedding a world: its programs run, and the commands beside them work. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { wordsOf, world } from './command.ts'
import { ROOT } from './source-files.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/guides/embed-a-world.md'), 'utf8')

function programOf(name: string): string {
  const [, program] = new RegExp(`\`${name}\`:\n\n\`\`\`ts\n(.*?)^\`\`\``, 'ms').exec(GUIDE) ?? []
  return program ?? assert.fail(`no program ${name}`)
}

/** Returns the commands of the guide that contain `word`. They call the world at port 8080. */
function commands(word: string): string[] {
  const commands = [...GUIDE.matchAll(/npx worldwright (.*?)(?=`|$)/gm)].map(([, words = '']) => words)
  return commands.filter((words) => words.includes(word))
}

/** Runs a program of the guide. Returns the origin that it prints. */
async function started(t: TestContext, name: string): Promise<string> {
  const folder = mkdtempSync(join(ROOT, 'test', 'readme-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), programOf(name))
  const child = spawn(process.execPath, ['--conditions=@worldwright/source', join(folder, name)], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  return String(line)
}

async function run(command: string | undefined, origin: string) {
  const words = wordsOf((command ?? assert.fail('no command')).replace('http://127.0.0.1:8080', origin))
  return world(...words)
}

test('the array of the guide is a world', async (t) => {
  const origin = await started(t, 'moons.ts')
  const { code, stdout } = await run(commands('sol:moon')[0], origin)
  assert.equal(code, 0)
  assert.match(stdout, /Europa/)
})

test('the restaurant of the guide takes each reservation once, in at most 30 lines', async (t) => {
  assert.ok(programOf('restaurant.ts').trimEnd().split('\n').length <= 30)
  const origin = await started(t, 'restaurant.ts')
  const [call] = commands('rest:book')
  const first = await run(call, origin)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /ada/)
  const second = await run(call, origin)
  assert.notEqual(second.code, 0)
  assert.match(second.stderr, /rest:taken|This table is taken/)
  const checked = await run(commands('check')[0], origin)
  assert.equal(checked.code, 0, checked.stdout)
  assert.match(checked.stdout, /0 failed/)
})
