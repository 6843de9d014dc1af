import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { fill } from '../shared/language.ts'
import { about, GROUPS, NAMES, setIn, type Group, type Kind, type Name, type Values } from './parameters.ts'
import type { DesignerTexts } from './texts/en.ts'

interface Chosen {
  readonly texts: DesignerTexts
  readonly values: Values
  readonly plans: CheckoutProduct['plans']
  readonly take: (name: Name, value: string) => void
}

/** The order of the form: what most change comes first. */
const ORDER: readonly Group[] = GROUPS.toSorted((a, b) => placeOf(a) - placeOf(b))

function placeOf(group: Group): number {
  return NAMES.findIndex((name) => about(name).group === group)
}

/** All parameters by group; the first is open. */
export function Fields(chosen: Chosen) {
  const { texts, values } = chosen
  return (
    <div class="groups">
      {ORDER.map((group, at) => {
        const count = setIn(values).filter(([name]) => about(name).group === group).length
        return (
          <details key={group} open={at === 0}>
            <summary>
              {texts.groups[group]}
              {count > 0 && <span class="count">{fill(texts.words.set, { count })}</span>}
            </summary>
            <div class="fields">
              {NAMES.filter((name) => about(name).group === group).map((name) => (
                <Field key={name} name={name} {...chosen} />
              ))}
            </div>
          </details>
        )
      })}
    </div>
  )
}

type One = Chosen & { readonly name: Name }

function Field(one: One) {
  const { name, texts, values, take } = one
  const { kind } = about(name)
  if (kind === 'yes' || kind === 'no') {
    const on = kind === 'yes' ? '1' : 'false'
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={values[name] === on}
          onChange={({ currentTarget }) => take(name, currentTarget.checked ? on : '')}
        />
        {texts.labels[name]}
      </label>
    )
  }
  const choices = choicesOf(kind, one)
  return (
    <div class="field">
      <label for={name}>{texts.labels[name]}</label>
      {choices ? <Select {...one} choices={choices} /> : <Text {...one} kind={kind} />}
    </div>
  )
}

function Text({ name, kind, values, take }: One & { readonly kind: Kind }) {
  return (
    <input
      id={name}
      list={undefined}
      type={kind === 'email' || kind === 'url' ? kind : 'text'}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      autocomplete="off"
      spellcheck={false}
      maxLength={2048}
      value={values[name] ?? ''}
      onInput={({ currentTarget }) => take(name, currentTarget.value)}
    />
  )
}

type Choices = readonly (readonly [value: string, text: string])[]

function Select({ name, texts, values, take, choices }: One & { readonly choices: Choices }) {
  const value = values[name] ?? ''
  // What an address said and nothing here offers is kept.
  const own: Choices = value === '' || choices.some(([one]) => one === value) ? [] : [[value, value]]
  return (
    <select id={name} value={value} onChange={({ currentTarget }) => take(name, currentTarget.value)}>
      <option value="">{texts.words.none}</option>
      {[...choices, ...own].map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** What there is to choose from; null: it is typed. */
function choicesOf(kind: Kind, { texts, plans, values }: One): Choices | null {
  if (typeof kind === 'object') return kind.map((value) => [value, texts.values[value] ?? value])
  if (kind === 'plan') return plans.map(({ id, title }) => [id, title])
  if (kind === 'currency') return currenciesOf(plans).map((code) => [code, code.toUpperCase()])
  return kind === 'price' ? pricesOf(plans, texts, values.plan_id) : null
}

const currenciesOf = (plans: Chosen['plans']) => [
  ...new Set(plans.flatMap(({ pricing = [] }) => pricing.map(({ currency }) => currency))),
]

/** Of the chosen plan, else of all with its name before each. */
function pricesOf(plans: Chosen['plans'], { words }: DesignerTexts, planId = ''): Choices {
  return plans
    .filter(({ id }) => planId === '' || id === planId)
    .flatMap(({ title, pricing = [] }) =>
      pricing.map(({ id, licenses, currency }): readonly [string, string] => {
        const values = { count: licenses ?? words.unlimited, currency: currency.toUpperCase() }
        return [id, `${planId === '' ? `${title}: ` : ''}${fill(words.prices, values)}`]
      }),
    )
}
