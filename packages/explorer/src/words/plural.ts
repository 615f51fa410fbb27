/** Texts that depend on a number, in the forms that a language has for it. */

/** A number of things, and how it is written in the language in use; in a text it stands as that. */
export interface Count {
  readonly number: number
  readonly toString: () => string
}

/** The forms of a text: those that the language tells apart. */
export type Forms<Category extends Intl.LDMLPluralRule> = Readonly<Record<Category | 'other', string>>

/** Chooses the form for a number as the language does; `Category` are those it has besides `other`. */
export function pluralIn<Category extends Intl.LDMLPluralRule>(
  language: string,
): (count: Count, forms: Forms<Category>) => string {
  const rules = new Intl.PluralRules(language)
  return (count, forms) => {
    const known: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string } = forms
    return known[rules.select(count.number)] ?? known.other
  }
}
