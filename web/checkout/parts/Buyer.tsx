import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { countriesIn, statesOf } from '../../shared/countries.ts'
import { usePage, type Page } from '../page.ts'
import { SelectField, TextField } from './Field.tsx'
import { useLoaded } from './loaded.ts'

/** Who buys, and where: only what is asked of them there. */
export function Buyer() {
  const page = usePage()
  const { texts, language, state } = page
  const countries = useMemo(() => countriesIn(language), [language])
  if (!state.checkout) return null
  return (
    <fieldset>
      <legend>{texts.aboutYou}</legend>
      {!isHiddenOwner(page) && <Person />}
      <SelectField
        name="country"
        label={texts.country}
        autocomplete="country"
        choices={countries}
        empty={texts.chooseCountry}
        chosen={() => page.store.type('region', '')}
      />
      <PlaceInCountry />
      <Company />
    </fieldset>
  )
}

function Person() {
  const page = usePage()
  const { texts } = page
  return (
    <>
      <TextField
        name="email"
        type="email"
        label={texts.email}
        autocomplete="email"
        isReadonly={page.isFixed('email')}
        event="email-updated"
      />
      <div class="pair">
        <TextField
          name="first"
          label={texts.firstName}
          autocomplete="given-name"
          isReadonly={page.isFixed('first')}
          isOptional
        />
        <TextField
          name="last"
          label={texts.lastName}
          autocomplete="family-name"
          isReadonly={page.isFixed('last')}
          isOptional
        />
      </div>
    </>
  )
}

/** The state where taxes differ by it, and the postal code. */
function PlaceInCountry() {
  const { texts, state } = usePage()
  const { country } = state.input
  if (country === '') return null
  const zip = <TextField name="zip" label={texts.zip} autocomplete="postal-code" isOptional />
  const states = statesOf(country)
  if (states.length === 0) return zip
  return (
    <div class="pair">
      <SelectField
        name="region"
        label={texts.state}
        autocomplete="address-level1"
        choices={states}
        empty={texts.chooseState}
      />
      {zip}
    </div>
  )
}

/** Who shows a license key and no more is told nothing of its owner. */
const isHiddenOwner = ({ state: { checkout }, address }: Page): boolean =>
  Boolean(checkout?.change) && checkout?.buyer.email === '' && address.opens['license_key'] !== undefined

/** The company that is bought for and its address, for the invoice; folded until somebody asks for it or it is known. */
function Company() {
  const { state, texts } = usePage()
  const { company, vatId, street, apt, city } = state.input
  const [isKnown] = useState(company + vatId + street + apt + city !== '')
  const [isAsked, ask] = useState(false)
  const add = (
    <button type="button" class="link" onClick={() => ask(true)}>
      {texts.addCompany}
    </button>
  )
  return isKnown || isAsked ? <OpenCompany meanwhile={isAsked ? add : null} /> : add
}

/** `meanwhile`: what stands there where somebody has asked for it; null: nobody has. */
function OpenCompany({ meanwhile }: { readonly meanwhile: VNode | null }) {
  const Lines = useLoaded(async () => (await import('./Company.tsx')).Company)
  return Lines ? <Lines isAsked={meanwhile !== null} /> : meanwhile
}
