import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runWith } from '../packages/cli/src/memory-io.fixture.ts'
import { serve, wordsOf } from './command.ts'
import { ROOT } from './source-files.ts'

test('every command in the structured query guide finds entities in the demo world', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'world-guide-'))
  t.after(() => rm(folder, { recursive: true }))
  const store = `sqlite:${join(folder, 'sol.db')}`
  const { origin } = await serve(t, 'examples/solar-system', '--workers', '1', '--store', store)
  const guide = await readFile(join(ROOT, 'docs/guides/ask-precisely.md'), 'utf8')
  const lines = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  assert.ok(lines.length >= 10)
  for (const line of lines) {
    const [, , ...words] = wordsOf(line.replace('https://sol.example', origin))
    const { code, out, err } = await runWith(words)
    assert.equal(code, 0, `${line}\n${err}`)
    assert.ok(out.trim().split('\n').length >= 2, `${line} found nothing`)
    assert.match(err, /[1-9]\d* (?:match|entit)/, line)
  }
})
