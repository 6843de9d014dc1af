import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { IssuedToken, NewDeveloperToken } from '../../../../src/accounts/tokens/api-token-schema.ts'
import type { Plugin as Product } from '../../../../src/catalogue/products/schema.ts'
import { useDoing } from '../../../ui/doing.tsx'
import { Dialog } from '../../Dialog.tsx'
import { usePlace } from '../../place.ts'
import { ShownOnce } from '../../ShownOnce.tsx'
import { texts } from '../../texts/texts.ts'
import { groupText } from '../team/roles.ts'

/** Days that a token lasts; empty: until it is revoked. */
const LASTS = [
  { value: '30', label: texts.thirtyDays },
  { value: '90', label: texts.ninetyDays },
  { value: '365', label: texts.year },
  { value: '', label: texts.untilRevoked },
]

const ACCOUNT = 'account'
const SOME = 'some'

/** Makes a token of the account or of a product, and shows it the one time it is to be seen. */
export function AddToken({
  products,
  close,
}: {
  readonly products: readonly Product[]
  readonly close: () => void
}) {
  const { accountPath } = usePlace()
  const [made, setMade] = useState<string | null>(null)
  const [opens, setOpens] = useState(ACCOUNT)
  const doing = useDoing<IssuedToken>(({ token }) => setMade(token))
  if (made !== null)
    return <ShownOnce title={texts.madeToken} more={texts.madeTokenMore} secret={made} close={close} />
  const ofProduct = /^\d+$/.test(opens)
  const submit = (form: FormData) =>
    doing.send({
      method: 'POST',
      path: `${accountPath}${ofProduct ? `/products/${opens}` : ''}/tokens.json`,
      body: { ...lastsOf(form), ...(!ofProduct && narrowedOf(form, opens === SOME)) },
    })
  return (
    <Dialog
      title={texts.addToken}
      isOpen
      close={close}
      act={texts.addToken}
      doing={doing}
      fields={['name', 'product_ids', 'rights']}
      submit={submit}
    >
      <TextInput
        name="name"
        label={texts.name}
        description={texts.tokenNameHelp}
        error={doing.faultOf('name')}
        autoComplete="off"
      />
      <NativeSelect
        label={texts.opens}
        description={ofProduct ? texts.opensProductHelp : texts.opensAccountHelp}
        value={opens}
        onChange={({ target }) => setOpens(target.value)}
        data={[
          { value: ACCOUNT, label: texts.opensAccount },
          { value: SOME, label: texts.opensSome },
          ...products.map(({ id, title }) => ({ value: id, label: fillProduct(title) })),
        ]}
      />
      {opens === SOME ? <Some products={products} fault={doing.faultOf('product_ids')} /> : null}
      {ofProduct ? null : <Rights fault={doing.faultOf('rights')} />}
      <NativeSelect name="days" label={texts.lasts} data={LASTS} defaultValue="365" />
    </Dialog>
  )
}

const fillProduct = (product: string) => texts.opensProduct.replace('{product}', () => product)

function lastsOf(form: FormData): Pick<NewDeveloperToken, 'name' | 'expires_in_days'> {
  const days = String(form.get('days'))
  return { name: String(form.get('name')).trim(), ...(days !== '' && { expires_in_days: Number(days) }) }
}

function narrowedOf(form: FormData, isOfSome: boolean): Pick<NewDeveloperToken, 'product_ids' | 'rights'> {
  const products = isOfSome ? { product_ids: form.getAll('product_ids').join(',') } : {}
  if (form.get('all') === 'all') return products
  const rights = [...form].flatMap(([name, way]) =>
    name.startsWith('right ') && way !== '' ? [`${name.slice('right '.length)}.${String(way)}`] : [],
  )
  return { ...products, rights: rights.join(',') }
}

interface Part {
  readonly fault: string | undefined
}

function Some({ products, fault }: Part & { readonly products: readonly Product[] }) {
  const told = useId()
  return (
    <Checkbox.Group label={texts.products} error={fault} errorProps={{ id: told }}>
      <div className="choices">
        {products.map(({ id, title }) => (
          <Checkbox
            key={id}
            name="product_ids"
            value={id}
            label={title}
            aria-invalid={fault !== undefined}
            {...(fault !== undefined && { 'aria-describedby': told })}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** Everything, or for each group of operations whether it is read or written. */
function Rights({ fault }: Part) {
  const { account } = usePlace()
  const [all, setAll] = useState('all')
  const groups = Object.keys(account.rights).filter((group) => group !== 'own')
  return (
    <>
      <NativeSelect
        name="all"
        label={texts.rights}
        description={texts.rightsHelp}
        error={fault}
        value={all}
        onChange={({ target }) => setAll(target.value)}
        data={[
          { value: 'all', label: texts.allRights },
          { value: 'some', label: texts.someRights },
        ]}
      />
      {all === 'all' ? null : (
        <div className="choices">
          {groups.map((group) => (
            <label key={group} className="choice">
              <span>{groupText(group)}</span>
              <select name={`right ${group}`} defaultValue="">
                <option value="">{texts.rightsOfRole.none}</option>
                <option value="read">{texts.rightsOfRole.read}</option>
                <option value="write">{texts.rightsOfRole.write}</option>
              </select>
            </label>
          ))}
        </div>
      )}
    </>
  )
}
