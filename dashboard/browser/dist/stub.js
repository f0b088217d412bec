var stub_default=part=>{if(globalThis.queryscape)return globalThis.queryscape.mount(part);let leave,left=!1;return(globalThis.
queryscapeReady??=[]).push(()=>{left||(leave=globalThis.queryscape.mount(part))}),()=>{left=!0,leave?.()}};export{stub_default as default};
