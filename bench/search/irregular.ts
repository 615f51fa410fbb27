/** English words with an irregular plural or a plural in -es, paired with their other form. */
const PAIRS =
  'man men, woman women, child children, foot feet, tooth teeth, goose geese, mouse mice, ox oxen, wolf wolves, wife wives, ' +
  'life lives, knife knives, leaf leaves, thief thieves, half halves, shelf shelves, calf calves, loaf loaves, elf elves, ' +
  'crisis crises, analysis analyses, hypothesis hypotheses, basis bases, oasis oases, criterion criteria, ' +
  'phenomenon phenomena, bacterium bacteria, medium media, fungus fungi, cactus cacti, nucleus nuclei, radius radii, ' +
  'stimulus stimuli, matrix matrices, index indices, vertex vertices, vortex vortices, nebula nebulae, larva larvae, ' +
  'formula formulae, person people, die dice, gentleman gentlemen, policeman policemen, fireman firemen, ' +
  'fisherman fishermen, businessman businessmen, superman supermen, frenchman frenchmen, louse lice, penny pence, ' +
  'brother brethren, fox foxes, box boxes, hero heroes, church churches, city cities, spy spies, dwarf dwarves, ' +
  'scarf scarves, axis axes, alumnus alumni, genius genii, curriculum curricula, stratum strata, datum data'

/** Maps each word to its other form. */
export const IRREGULAR: ReadonlyMap<string, string> = new Map(
  PAIRS.split(', ').flatMap((pair) => {
    const [one = '', many = ''] = pair.split(' ')
    return [
      [one, many],
      [many, one],
    ] as const
  }),
)
