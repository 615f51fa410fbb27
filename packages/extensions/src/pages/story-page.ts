/** Pages of stories: their text, with views as images and tables, and entities as cards. */
import { holdsValue, parseExact } from '@worldwright/client/exact'
import type { Entity, EntityRef } from '@worldwright/client/protocol'
import {
  type Mount,
  type Route,
  type World,
  WorldFault,
  type WorldRequest,
  type WorldResponse,
} from '@worldwright/core'
import { presentMembers } from '../shown/fields.ts'
import { STORY_PATH, type Story, type StoryFault, type StoryPart } from '../stories/index.ts'
import { pagePath, viewPath } from '../views/index.ts'
import { imagePath, isAttachment } from './addresses.ts'
import { pictureOf, titlesOf } from './entity-page.ts'
import { type Html, html } from './html.ts'
import { isClientError } from './markdown-path.ts'
import { HTML_TYPE, type PageAnswers } from './page-answers.ts'
import { pageImage } from './page-document.ts'
import { drawsLayout } from './page-images.ts'
import { nodeHtml } from './prose.ts'
import { nameOf, seenText, shortText, typeName } from './seen-text.ts'
import { cellHtml, pathLabels } from './values.ts'
import { answerView, readView } from './view-answer.ts'
import { MOST_TITLES, shownValues, viewHtml } from './view-page.ts'

/** Number of rows of a view, of facts of an entity, and of characters of its summary. Links lead to the rest. */
const ROWS = 10
const FACTS = 4
const SUMMARY_CHARACTERS = 300

/** World that the views and entities of stories are read from. */
interface Shown {
  readonly world: World
  readonly source: Mount['source']
}

interface Stories extends Shown {
  readonly stories: readonly Story[]
  readonly mount: Mount
  readonly answers: PageAnswers
  readonly hasImages: boolean
  /** False in a world of files, whose stories do not link to views. */
  readonly hasViews: boolean
}

/** Returns the path of a story. */
export function storyPath({ name }: Pick<Story, 'name'>): string {
  return STORY_PATH + encodeURIComponent(name)
}

/** Returns the route of all stories. */
export function storyRoute(from: Stories): Route {
  const { answers } = from
  return {
    path: `${STORY_PATH}{name}`,
    answers: [HTML_TYPE],
    lane: 'search',
    methods: { GET: (request, { name }) => answers.orFault(() => storyAnswer(from, request, name)) },
  }
}

async function storyAnswer(
  from: Stories,
  request: WorldRequest,
  name: string | undefined,
): Promise<WorldResponse> {
  const story = from.stories.find((one) => one.name === name)
  if (story === undefined) throw new WorldFault('not_found', 'There is no such story.')
  const { title, description } = story
  const parts: Part[] = []
  // One after another, so that a page never has two queries at once.
  for (const part of story.parts) parts.push(await partHtml(part, from, request))
  const { url: origin } = from.mount.origin(request)
  const { cacheable, ...answer } = from.answers.answer(request, {
    title,
    description,
    canonical: origin + storyPath(story),
    ...pageImage(origin, '/', from.hasImages),
    body: html`<article class="prose" dir="auto">${parts.map((part) => part.html)}</article>`,
  })
  // The next search may get further.
  return parts.some(({ isPartial }) => isPartial) || !cacheable ? answer : { ...answer, cacheable }
}

interface Part {
  readonly html: Html
  readonly isPartial?: boolean
}

async function partHtml(part: StoryPart, from: Stories, request: WorldRequest): Promise<Part> {
  if ('text' in part) return { html: nodeHtml(part.text) }
  try {
    if ('entity' in part) return { html: await cardHtml(part.entity, from, request) }
    const { world, source } = from
    const query = new URLSearchParams(part.query)
    const read = await readView(part.type, query, { world, source, most: ROWS }, request.signal)
    const answer = await answerView(read, world, request)
    const { isPartial, nextCursor, entities } = answer
    const titles = await titlesOf(shownValues(read, answer), source, request, MOST_TITLES)
    const path = viewPath(part.type, read.view)
    const image =
      from.hasImages && from.hasViews && drawsLayout(read, answer, titles) ? imagePath(path) : undefined
    const link = html`<a href="${path}">${read.title}</a>`
    const figure = html`<figure><figcaption>${from.hasViews ? link : read.title}</figcaption>
${viewHtml(read, answer, titles, image)}${nextCursor && html`<p class="soft">These are the first ${entities.length}.</p>`}</figure>`
    return { html: figure, isPartial }
  } catch (error) {
    if (!isClientError(error)) throw error
    return { html: html`<p class="card">This cannot be shown now: ${error.message}</p>` }
  }
}

async function cardHtml(
  { type, id }: EntityRef,
  { world, source, answers }: Stories,
  { signal }: WorldRequest,
): Promise<Html> {
  const { json } = await world.get(type, id, { signal })
  const entity = parseExact(json, holdsValue) as Entity
  const described = await answers.described(type)
  const { schema } = described
  const summary = seenText(entity.summary)
  const picture = pictureOf(entity.attributes, schema) ?? ''
  const members = presentMembers(entity.attributes, schema)
  const facts = members.filter(([, value]) => ![value].flat().includes(picture)).slice(0, FACTS)
  const titles = await titlesOf(Object.fromEntries(facts), source, { signal })
  return html`<div class="card" dir="auto">${isAttachment(picture) && html`<img src="${picture}" alt="">`}
<p><a href="${pagePath(type, id)}">${nameOf(entity)}</a> <span class="soft">${typeName(described)}</span></p>
${summary !== undefined && html`<p>${shortText(summary, SUMMARY_CHARACTERS)}</p>`}
<dl>${facts.map(([name, value]) => html`<dt>${pathLabels([name], schema)[0]}</dt><dd dir="auto">${cellHtml(value, name, schema, titles)}</dd>`)}</dl></div>`
}

/** Yields the views of a story that cannot be read now, the unknown types, and, as warnings, the missing entities. */
export async function* blockFaults(
  { parts }: Story,
  { world, source }: Shown,
): AsyncGenerator<StoryFault & { readonly isWarning: boolean }> {
  for (const part of parts) {
    if ('text' in part) continue
    const { type, id } = 'entity' in part ? part.entity : { type: part.type, id: undefined }
    try {
      if ('entity' in part) await world.get(part.entity.type, part.entity.id)
      else await readView(type, new URLSearchParams(part.query), { world, source })
    } catch (error) {
      if (!isClientError(error)) throw error
      const message = `${type}${id === undefined ? '' : `/${id}`}: ${error.message}`
      yield { line: part.line, message, isWarning: error.code === 'entity_not_found' }
    }
  }
}
