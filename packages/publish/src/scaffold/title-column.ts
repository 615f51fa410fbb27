import type { Identity } from './identify.ts'
import { isIdName, isPartialName, ownerOfId, titleRank, wordsOf } from './names.ts'
import type { Column, Survey } from './survey.ts'

/** Reports whether a column holds text without a form of its own, such as names or sentences. */
export function isPlainText(column: Column, { cells }: Survey): boolean {
  const { isText, proposal, filled, unfit } = column
  return (
    filled > 0 &&
    // Among titles of records, such as those of films, some are numbers.
    (isText || (!cells && unfit === 0 && isMostlyWords(column))) &&
    proposal.type === 'string' &&
    proposal.form === undefined &&
    proposal.format === undefined
  )
}

/**
 * Chooses the title column of text with many distinct values: by its name, or else short text whose values are nearly all
 * distinct, or else the id or a part of it. A title may repeat if it names one of two id columns.
 */
export function titleColumn(columns: readonly Column[], survey: Survey, id: Identity): Column | undefined {
  const isTitle = (column: Column) =>
    hasManyValues(column) ||
    (titleRank(column.name) !== undefined && id.parts?.some((part) => isNameOf(column, part)) === true)
  const texts = columns.filter((column) => isPlainText(column, survey) && isTitle(column))
  const ranked = texts
    .flatMap((column) => {
      const rank = titleRank(column.name)
      return rank === undefined ? [] : [{ column, rank, isOther: !isOfSameThing(column, id) }]
    })
    .toSorted((a, b) => a.rank - b.rank || Number(a.isOther) - Number(b.isOther))
  const parts = id.parts ?? (id.column ? [id.column] : [])
  return (
    ranked[0]?.column ??
    texts.find((column) => isNameLike(column, survey.records)) ??
    parts.find((column) => texts.includes(column) && isMostlyWords(column))
  )
}

/** Reports whether each value of `part` has one name in a column, both without gaps. */
function isNameOf({ sample, filled }: Column, part: Column): boolean {
  const pairs = new Set(part.sample.map((value, at) => `${value}\0${sample[at]}`))
  return filled === part.filled && pairs.size === new Set(part.sample).size
}

/** Reports whether a column is named like the id, as `airport name` and `airport code` are. */
function isOfSameThing({ name }: Column, { column: id }: Identity): boolean {
  const owner = id ? ownerOfId(id.name) : ''
  return owner !== '' && isIdName(id?.name ?? '') && wordsOf(name).slice(0, -1).join(' ') === owner
}

/** Minimum number of distinct titles, unless more than half of all are distinct. */
const MANY_VALUES = 10

function hasManyValues({ sample }: Column): boolean {
  const distinct = new Set(sample).size
  return distinct > sample.length / 2 || distinct >= MANY_VALUES
}

function isNameLike(column: Column, records: number): boolean {
  const { name, sample, filled, longest } = column
  if (records < 3 || filled < records || new Set(sample).size < 0.9 * sample.length || longest > 120)
    return false
  if (
    isIdName(name) ||
    isPartialName(name) ||
    /^(?:type|kind|status|category|art|typ|kategorie)$/i.test(name)
  )
    return false
  return isMostlyWords(column)
}

function isMostlyWords({ sample }: Column): boolean {
  const isName = (text: string) => /\p{L}{3}/u.test(text) && !/[@/]|^\d+ |\d{4}/.test(text)
  return sample.filter(isName).length > 0.9 * sample.length
}
