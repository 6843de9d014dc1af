import type { TaxSettings } from '../../../../src/sales/taxes/schema.ts'
import { COUNTRIES } from '../../countries.ts'
import { FormPanel, type Field } from '../../form.tsx'
import { One } from '../../One.tsx'
import { ApiCall, PageHead } from '../../parts.tsx'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'

const PLACES: readonly Field[] = [
  {
    name: 'country',
    label: texts.taxCountry,
    kind: 'choice',
    empty: null,
    options: [['', texts.taxCountryNone], ...COUNTRIES],
  },
  { name: 'registrations', label: texts.registrations, help: texts.registrationsHelp },
  { name: 'is_format_enough', label: texts.formatEnough, help: texts.formatEnoughHelp, kind: 'flag' },
]

const NAMED: readonly Field[] = [
  { name: 'legal_name', label: texts.legalName },
  { name: 'address', label: texts.addressLines, help: texts.addressLinesHelp, kind: 'lines' },
  { name: 'vat_id', label: texts.vatId },
]

/** What the account says of taxes, and how its invoices name it. */
export function Taxes() {
  const { accountPath } = usePlace()
  const own = `${accountPath}/tax_settings`
  const sent = (body: object) => ({ method: 'PUT', path: `${own}.json`, body }) as const
  return (
    <One<TaxSettings> title={texts.taxes} path={own}>
      {(found) => (
        <>
          <PageHead title={texts.taxes} about={texts.taxesAbout} />
          <div className="halves">
            <FormPanel
              title={texts.taxPlaces}
              about={texts.taxPlacesMore}
              fields={PLACES}
              before={found}
              group="sales"
              sent={sent}
            />
            <FormPanel
              title={texts.onInvoices}
              about={texts.onInvoicesMore}
              fields={NAMED}
              before={found}
              group="sales"
              sent={sent}
            />
          </div>
          <ApiCall path={`${own}.json`} />
        </>
      )}
    </One>
  )
}
