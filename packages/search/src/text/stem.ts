import { arabicStem, isArabic } from './arabic-stem.ts'

/** Minimum length of a word to stem. Shorter words would be indistinguishable without their last two letters. */
const SHORTEST = 4
/** Maximum length of a word in which -men or -sis belongs to the stem, as in `omen` and `basis`. */
const LONG = 5
const LATIN = /^[a-z]+$/
const VOWEL = /[aeiouy]/
/** Words whose plural ending is -es rather than -s. */
const SIBILANT = /(?:ss|x|zz)es$/

/** Irregular plurals, by singular. Plurals that mean something else in another language are omitted. */
const PLURALS = {
  man: 'men',
  woman: 'women',
  child: 'children',
  foot: 'feet',
  tooth: 'teeth',
  goose: 'geese',
  mouse: 'mice',
  louse: 'lice',
  ox: 'oxen',
  person: 'people',
  penny: 'pence',
  wolf: 'wolves',
  wife: 'wives',
  life: 'lives',
  knife: 'knives',
  leaf: 'leaves',
  thief: 'thieves',
  half: 'halves',
  shelf: 'shelves',
  calf: 'calves',
  loaf: 'loaves',
  elf: 'elves',
  self: 'selves',
  hoof: 'hooves',
  dwarf: 'dwarves',
  scarf: 'scarves',
  criterion: 'criteria',
  phenomenon: 'phenomena',
  bacterium: 'bacteria',
  stratum: 'strata',
  curriculum: 'curricula',
  memorandum: 'memoranda',
  datum: 'data',
  fungus: 'fungi',
  cactus: 'cacti',
  nucleus: 'nuclei',
  radius: 'radii',
  stimulus: 'stimuli',
  alumnus: 'alumni',
  genius: 'genii',
  locus: 'loci',
  genus: 'genera',
  corpus: 'corpora',
  axis: 'axes',
  matrix: 'matrices',
  index: 'indices',
  vertex: 'vertices',
  vortex: 'vortices',
  appendix: 'appendices',
  nebula: 'nebulae',
  larva: 'larvae',
  formula: 'formulae',
  supernova: 'supernovae',
  vertebra: 'vertebrae',
  antenna: 'antennae',
  alga: 'algae',
  luz: 'luces',
  pez: 'peces',
  voz: 'voces',
  vez: 'veces',
  juez: 'jueces',
  raiz: 'raices',
  nuez: 'nueces',
  nariz: 'narices',
  actriz: 'actrices',
  lapiz: 'lapices',
  tapiz: 'tapices',
  feliz: 'felices',
}
const SINGULARS: ReadonlyMap<string, string> = new Map(
  Object.entries(PLURALS).map(([singular, plural]) => [plural, singular]),
)

/** Returns a folded word without plural and verb endings. Words with digits or in most other scripts are unchanged. */
export function stem(word: string): string {
  if (isArabic(word)) return arabicStem(word)
  const singular = SINGULARS.get(word) ?? word
  if (singular.length < SHORTEST || !LATIN.test(singular)) return singular
  return withoutE(withoutVerbEnding(asMan(withoutPlural(singular))))
}

function withoutPlural(word: string): string {
  if (word.endsWith('sis') && word.length > LONG) return word.slice(0, -2)
  if (!word.endsWith('s')) return word
  if (word.endsWith('ies') && word.length > SHORTEST) return `${word.slice(0, -3)}y`
  if (SIBILANT.test(word)) return word.slice(0, -2)
  if (word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) return word
  return word.slice(0, -1)
}

/** Maps `fishermen` to `fisherman`. Also changes `specimen`, but then `specimens` gets the same stem. */
function asMan(word: string): string {
  return word.endsWith('men') && word.length > LONG ? `${word.slice(0, -2)}an` : word
}

function withoutVerbEnding(word: string): string {
  const base = word.endsWith('ing') ? word.slice(0, -3) : word.endsWith('ed') ? word.slice(0, -2) : word
  if (base === word || base.length < 3 || !VOWEL.test(base)) return word
  const last = base[base.length - 1] as string
  if (last === base[base.length - 2] && !'lsz'.includes(last)) return base.slice(0, -1)
  return base
}

function withoutE(word: string): string {
  return word.length > SHORTEST && word.endsWith('e') ? word.slice(0, -1) : word
}
