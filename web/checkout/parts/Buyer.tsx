import { useEffect, useMemo, useState } from 'preact/hooks'
import { countriesIn, statesOf } from '../../shared/countries.ts'
import { usePage, type Page } from '../page.ts'
import { SelectField, TextField } from './Field.tsx'

/** Countries in which a company's VAT ID changes what is paid. */
const WITH_VAT_IDS = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO SE SI SK CH'.split(' '),
)

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

const OF_COMPANY = ['company', 'vatId', 'street', 'apt', 'city'] as const

/** The company that is bought for and its address, for the invoice; folded until somebody asks for it or it is known. */
function Company() {
  const page = usePage()
  const { texts, state } = page
  const isKnown = OF_COMPANY.some((name) => state.input[name] !== '')
  const [isOpen, open] = useState<boolean | 'asked'>(isKnown)
  useEffect(() => {
    if (isOpen === 'asked') document.getElementById('field-company')?.focus()
  }, [isOpen])
  if (isOpen === false) {
    return (
      <button type="button" class="link" onClick={() => open('asked')}>
        {texts.addCompany}
      </button>
    )
  }
  const hasVatId = WITH_VAT_IDS.has(state.input.country)
  return (
    <>
      <Line name="company" label={texts.company} autocomplete="organization" />
      {hasVatId && <Line name="vatId" label={texts.vatId} help={sayCheck(page)} />}
      <Line name="street" label={texts.street} autocomplete="address-line1" />
      <div class="pair">
        <Line name="apt" label={texts.apt} autocomplete="address-line2" />
        <Line name="city" label={texts.city} autocomplete="address-level2" />
      </div>
    </>
  )
}

const Line = (about: Parameters<typeof TextField>[0]) => <TextField {...about} isOptional />

function sayCheck({ state, texts }: Page): string | null {
  const said = {
    valid: texts.vatValid,
    invalid: texts.vatInvalid,
    unchecked: texts.vatUnchecked,
    malformed: texts.vatMalformed,
  }
  const check = state.checkout?.buyer.vat_check
  return !check || state.input.vatId === '' ? null : said[check]
}
