import { useEffect } from 'preact/hooks'
import { usePage, type Page } from '../page.ts'
import { TextField } from './Field.tsx'

/** Countries in which a company's VAT ID changes what is paid. */
const WITH_VAT_IDS = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL NO PL PT RO SE SI SK CH'.split(' '),
)

/** The lines of a company; who asked for them is put into the first. */
export function Company({ isAsked }: { readonly isAsked: boolean }) {
  const page = usePage()
  const { texts, state } = page
  useEffect(() => {
    if (isAsked) document.getElementById('field-company')?.focus()
  }, [])
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
