// What a part is mounted with. Streamlit sends a component's code with every change of its data, so it is short.
export default (part) => {
  if (globalThis.queryscape) return globalThis.queryscape.mount(part);
  let leave, left = false;
  (globalThis.queryscapeReady ??= []).push(() => {
    if (!left) leave = globalThis.queryscape.mount(part);
  });
  return () => {
    left = true;
    leave?.();
  };
};
