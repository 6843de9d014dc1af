import { useEffect, useMemo, useState } from 'preact/hooks'
import type { CheckoutProduct } from '../../src/sales/pricing-table/checkout-product-schema.ts'
import { call, Problem } from '../shared/call.ts'
import { Code } from './Code.tsx'
import { Fields } from './Fields.tsx'
import { about, setIn, type Values } from './parameters.ts'
import { Preview } from './Preview.tsx'
import type { DesignerTexts } from './texts/en.ts'

/** What the address of the designer says. */
export interface Begin {
  readonly productId: string
  /** What the form begins with. */
  readonly values: Values
  /** With which sandbox the preview is opened; none: it is live. It is no part of the code. */
  readonly sandbox: Values
}

export interface About {
  readonly texts: DesignerTexts
  /** What comes before each path of this server. */
  readonly prefix: string
  /** Where the checkout is for buyers. */
  readonly base: string
}

/** Why there is no product. */
type Failure = 'none' | 'failed'

/** The product of an id, read again at each `round`. */
function useProduct(
  prefix: string,
  productId: string,
  { isSandbox, round }: { readonly isSandbox: boolean; readonly round: number },
) {
  const [found, setFound] = useState<CheckoutProduct | Failure | null>(null)
  useEffect(() => {
    setFound(null)
    if (productId === '') return
    if (!/^[1-9]\d{0,14}$/.test(productId)) return setFound('none')
    let isWanted = true
    const path = `${prefix}/v1/checkout/products/${productId}.json?environment=${isSandbox ? 1 : 0}`
    call<CheckoutProduct>({ method: 'GET', path })
      .catch((error: unknown): Failure =>
        error instanceof Problem && error.status === 404 ? 'none' : 'failed',
      )
      .then((product) => isWanted && setFound(product))
    return () => {
      isWanted = false
    }
  }, [prefix, productId, isSandbox, round])
  return found
}

/** Milliseconds without a change after which it is shown: each preview opens a checkout. */
const CALM = 600

/** What something is once it changes no more. */
function useCalm<T>(value: T): T {
  const [calm, setCalm] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), CALM)
    return () => clearTimeout(timer)
  }, [value])
  return calm
}

/** Groups whose values name nobody and prove nothing, so that the address of the designer may have them. */
const OPEN = new Set(['offer', 'look', 'hide', 'frame'])

/** Leaves what is chosen in the address, so that a reload goes on with it. */
function useAddress(productId: string, values: Values, sandbox: Values): void {
  useEffect(() => {
    const open = setIn(values).filter(([name]) => OPEN.has(about(name).group))
    const query = [['product_id', productId], ...open, ...setIn(sandbox)].map((pair) => [...pair])
    history.replaceState(null, '', `?${new URLSearchParams(query)}`)
  }, [productId, values, sandbox])
}

export function Designer({ begin, ...given }: About & { readonly begin: Begin }) {
  const { words } = given.texts
  const { sandbox } = begin
  const [productId, setProductId] = useState(begin.productId)
  const [values, setValues] = useState(begin.values)
  const [round, setRound] = useState(0)
  const wanted = useMemo(() => ({ productId: productId.trim(), values }), [productId, values])
  const calm = useCalm(wanted)
  const isSandbox = (values.sandbox ?? sandbox.sandbox) !== undefined
  const found = useProduct(given.prefix, calm.productId, { isSandbox, round })
  useAddress(wanted.productId, values, sandbox)
  const product = typeof found === 'object' ? found : null
  return (
    <main>
      <header>
        <h1>{words.title}</h1>
        <p class="muted">{words.intro}</p>
      </header>
      <div class="columns">
        <form class="choose" noValidate onSubmit={(event) => event.preventDefault()}>
          <Product
            {...{ texts: given.texts, productId, found }}
            take={setProductId}
            retry={() => setRound(round + 1)}
          />
          <Fields
            {...{ texts: given.texts, values, plans: product?.plans ?? [] }}
            take={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
          />
          <button type="button" onClick={() => setValues({})}>
            {words.reset}
          </button>
        </form>
        <div class="results">
          <Code {...given} wanted={wanted} />
          <Preview {...given} isThere={product !== null} sandbox={sandbox} shown={calm} />
        </div>
      </div>
    </main>
  )
}

interface Chosen {
  readonly texts: DesignerTexts
  readonly productId: string
  readonly found: CheckoutProduct | Failure | null
  readonly take: (id: string) => void
  readonly retry: () => void
}

function Product({ texts: { words }, productId, found, take, retry }: Chosen) {
  const error = found === 'none' ? words.noProduct : found === 'failed' ? words.failed : null
  const said = typeof found === 'object' && found ? found.title : words.productHelp
  const isEmpty = typeof found === 'object' && found?.plans.length === 0
  return (
    <div class="field">
      <label for="product_id">{words.product}</label>
      <input
        id="product_id"
        list={undefined}
        inputMode="numeric"
        autocomplete="off"
        value={productId}
        aria-invalid={error !== null}
        aria-describedby="product-said"
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      <div id="product-said" role="status">
        <p class={error === null ? 'muted' : 'error'}>{error ?? said}</p>
        {isEmpty && <p class="muted">{words.notSold}</p>}
      </div>
      {found === 'failed' && (
        <button type="button" onClick={retry}>
          {words.retry}
        </button>
      )}
    </div>
  )
}
