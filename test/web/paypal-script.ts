/**
 * PayPal's own script, played: a button that opens a window at the click, asks for the order, leads the window there, and
 * tells how its owner came back, as the window says.
 */
export const PAYPAL_SCRIPT = `{
  const { namespace } = document.currentScript.dataset
  const asked = Object.fromEntries(new URL(document.currentScript.src).searchParams)
  window.paypalSays = [...(window.paypalSays ?? []), asked]
  window[namespace] = { Buttons: (options) => {
    let button
    const pay = async () => {
      const place = window.open('about:blank', 'paypal', 'popup,width=480,height=720')
      if (!place) return options.onError(new Error('blocked'))
      try {
        const order = await options.createOrder()
        place.location.href = 'https://www.sandbox.paypal.com/checkoutnow?token=' + order
      } catch (error) {
        place.close()
        return options.onError(error)
      }
      window.comeBack = (how) => {
        place.close()
        if (how === 'approved') options.onApprove({})
        else options.onCancel({})
      }
    }
    return {
      isEligible: () => true,
      render: async (place) => {
        button = document.createElement('button')
        button.type = 'button'
        button.textContent = 'Pay with PayPal'
        button.onclick = () => options.onClick({}, { resolve: pay, reject() {} })
        place.append(button)
      },
      close: async () => button?.remove(),
    }
  } }
}`
