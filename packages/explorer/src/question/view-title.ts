/** Titles of views, written as the pages without scripts write them. */
import { fieldsAlong } from '@worldwright/extensions/shown'
import { namesOf, type TitleWords, titleOfView, type View, viewPath } from '@worldwright/extensions/views'
import type { Titles } from '../world/titles.ts'
import { type TypeProfile, typeIn, type WorldProfile } from '../world/world-profile.ts'
import { type Askable, allAskablesOf } from './askable.ts'

/** Returns the words of titles of a type's views, given its properties by key. */
export function titleWordsOf(
  { title, schema }: TypeProfile,
  askables: ReadonlyMap<string, Askable>,
): Omit<TitleWords, 'entity'> {
  return {
    type: title,
    label: (key) => Array.from(fieldsAlong(namesOf(key), schema), ({ label }) => label).join(', '),
    kind: (key) => (askables.get(key)?.isDate ? 'date' : askables.get(key)?.kind),
  }
}

/** Returns the path of a view without the place in its list. */
export function pathOf(view: View & { readonly type: string }): string {
  return viewPath(view.type, { ...view, cursor: undefined, before: undefined })
}

/** Writes the title of a view. First reads the titles of entities in it; one that cannot be read is called by its id. */
export async function readViewTitle(
  { profile, titles }: { readonly profile: WorldProfile; readonly titles: Titles },
  type: string,
  view: View,
): Promise<string> {
  const own = typeIn(profile, type)
  const words = titleWordsOf(own, new Map(allAskablesOf(profile, own).map((one) => [one.key, one])))
  const names = new Map<string, string | undefined>()
  titleOfView(view, { ...words, entity: (text) => void names.set(text, undefined) })
  const reading = [...names.keys()].map(async (text) => {
    const [type = '', id = ''] = text.split(/\/(.*)/s)
    const found = await titles.find({ type, id })
    if (found.state === 'found') names.set(text, found.title)
  })
  await Promise.all(reading)
  return titleOfView(view, { ...words, entity: (text) => names.get(text) })
}
