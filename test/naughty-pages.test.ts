import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '@worldwright/core'
import { createMemoryStore } from '@worldwright/core/store'
import { pages } from '@worldwright/extensions/pages'
import { memorySearch } from '@worldwright/search/entities'
import { NAUGHTY_STRINGS } from './hostile/naughty.fixture.ts'

test('no naughty string breaks out of its place on a page', async () => {
  const store = createMemoryStore({ search: memorySearch })
  await store.write(
    NAUGHTY_STRINGS.map((text, at) => ({
      put: {
        type: 'x:text',
        id: `t${at}`,
        title: text,
        summary: text,
        attributes: { text, list: [{ [text]: text }] },
      },
    })),
  )
  const description = { id: 'urn:example:texts', types: [{ type: 'x:text' }] }
  const publicUrl = 'https://texts.example'
  const handler = createWorld({ ...description, store, publicUrl, extensions: [pages()] })
  const plain = createMemoryStore({ search: memorySearch })
  await plain.write([
    {
      put: {
        type: 'x:text',
        id: 't0',
        title: 'a',
        summary: 'a',
        attributes: { text: 'a', list: [{ a: 'a' }] },
      },
    },
  ])
  const harmless = createWorld({
    ...description,
    store: plain,
    publicUrl,
    extensions: [pages()],
  })
  const pageOf = async (world: typeof handler, at: number) => {
    const target = `/t/x%3Atext/t${at}`
    const { status, body } = await world.handle({ method: 'GET', target, headers: {} })
    assert.equal(status, 200)
    return Buffer.from(body as Uint8Array).toString()
  }
  /** Returns the tags of a page without attribute values. Injected markup would change them. */
  const skeleton = (page: string) =>
    page
      .match(/<[^>]+>/g)
      ?.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
      // A string that is a URL may be rendered as a link.
      .filter((tag) => !/^<(?:a href="" rel=""|\/a)>$/.test(tag))
      .join('')
  const expected = skeleton(await pageOf(harmless, 0))
  const summary = '<p class="" dir=""></p>'
  assert.equal(expected?.split(summary).length, 2)
  for (const [at, text] of NAUGHTY_STRINGS.entries()) {
    // The page omits a summary without visible characters.
    const isBlank = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
    const seen: string | undefined = isBlank ? expected?.replace(summary, '') : expected
    // Attributes of white space are omitted, as in the explorer.
    const own: string | undefined = text.trim() === '' ? seen?.replace(/<dl>.*<\/dl>/, '<dl></dl>') : seen
    assert.equal(skeleton(await pageOf(handler, at)), own, text)
  }
})
