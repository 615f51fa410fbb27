import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { meaningFrom } from './meaning-from.ts'

test('meaningFrom requires a model, its types, and existing model files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worldwright-'))
  t.after(() => rm(folder, { recursive: true }))
  const named = { meaningModel: '.', meaningTypes: ['sol:note'] }
  assert.equal(meaningFrom({ meaningTypes: [] }, folder), undefined)
  assert.throws(() => meaningFrom({ meaningTypes: ['sol:note'] }, folder), /belong together/)
  assert.throws(() => meaningFrom({ ...named, meaningTypes: [] }, folder), /belong together/)
  await writeFile(join(folder, 'model.onnx'), '')
  assert.throws(() => meaningFrom(named, folder), /no tokenizer\.json in /)
  await writeFile(join(folder, 'tokenizer.json'), '')
  assert.deepEqual(meaningFrom(named, folder), { folder, types: ['sol:note'] })
})
