var Part=class{constructor(root,store,python){this.root=root,this.store=store,this.python=python,this.leave=[]}listen(listeners){
for(let[event,listener]of Object.entries(listeners))this.leave.push(this.store.on(event,listener))}followTheme(look){this.
root.addEventListener("transitionend",({target,propertyName})=>{target===this.root&&propertyName==="background-color"&&look()})}destroy(){
this.leave.forEach(leave=>leave())}};var keyOf=name=>`queryscape-${name}`;function keptText(name,storage=globalThis.localStorage){try{return storage.getItem(
keyOf(name))||null}catch{return null}}function keepText(name,text,storage=globalThis.localStorage){try{text?storage.setItem(
keyOf(name),text):storage.removeItem(keyOf(name))}catch{}}var BrowserMemory=class extends Part{isTold=!1;update({name,text}){
if(text!==null){keepText(name,text);return}let kept=this.isTold?null:keptText(name);this.isTold=!0,kept&&this.python.setStateValue(
"kept",kept)}};var QUIET_MS=1200,LOOK_MS=200,ASK_AGAIN_MS=5e3,BUSY='[role="dialog"], [role="listbox"]',Activity=class{isPressed=!1;hasTyped=!1;last=0;constructor(now=()=>Date.
now()){this.now=now}hear(type,{isCommitting=!1}={}){this.last=this.now(),type==="pointerdown"&&(this.isPressed=!0),(type===
"pointerup"||type==="pointercancel")&&(this.isPressed=!1,this.last=0),type==="input"&&(this.hasTyped=!0),(type==="change"||
type==="focusout"||isCommitting)&&(this.hasTyped=!1)}get isIdle(){return!this.isPressed&&!this.hasTyped&&this.now()-this.
last>=QUIET_MS}follow(document2){for(let type of["pointerdown","pointerup","pointercancel","change","focusout","keydown",
"input"])document2.addEventListener(type,event=>{let field=event.composedPath()[0];type==="input"&&!(field.isContentEditable||
field.matches?.("textarea, input:not([type=checkbox], [type=range])"))||this.hear(type,{isCommitting:type==="keydown"&&event.
key==="Enter"&&(event.ctrlKey||event.metaKey)})},!0);return this}},Changes=class extends Part{timer=0;update({is_outdated:isOutdated}){
this.root.hidden=!0,this.root.dataset.isOutdated=String(isOutdated),globalThis.queryscapeActivity??=new Activity().follow(
document),clearTimeout(this.timer),isOutdated&&this.#look()}#look(){let isFree=globalThis.queryscapeActivity.isIdle&&!document.
querySelector(BUSY);isFree&&this.python.setTriggerValue("again",Date.now()),this.timer=setTimeout(()=>this.#look(),isFree?
ASK_AGAIN_MS:LOOK_MS)}destroy(){super.destroy(),clearTimeout(this.timer)}};var TO_ANOTHER_PAGE='[data-testid^="stPageLink"] a[href], a[href][data-testid^="stPageLink"]',AT_MOST_MS=5e3,LOOK_AGAIN_MS=100;
function isOnTheWay({to,until},here,now){return to!==here&&now<until}function watchLeaving(page){let way={to:"",until:-1/0};
return page.addEventListener("click",event=>{let link=event.target.closest?.(TO_ANOTHER_PAGE),inThisTab=!(event.button||
event.ctrlKey||event.metaKey||event.shiftKey);link&&inThisTab&&Object.assign(way,{to:new URL(link.href).pathname,until:performance.
now()+AT_MOST_MS})},!0),way}function sayUnlessLeaving(say,isHere){isHere()&&(isOnTheWay(globalThis.queryscapeWay,location.
pathname,performance.now())?setTimeout(()=>sayUnlessLeaving(say,isHere),LOOK_AGAIN_MS):say())}var PARTS={browser_memory:BrowserMemory,changes:Changes},MOUNTED=new WeakMap,visitors_default=({data,parentElement,setStateValue,
setTriggerValue})=>{globalThis.queryscapeWay??=watchLeaving(document);let part=MOUNTED.get(parentElement);if(!part){let root=parentElement.
appendChild(document.createElement("div")),isHere=()=>MOUNTED.get(parentElement)===part,guarded=say=>(name,value)=>sayUnlessLeaving(
()=>say(name,value),isHere);part=new PARTS[data.part](root,null,{setStateValue:guarded(setStateValue),setTriggerValue:guarded(
setTriggerValue)}),MOUNTED.set(parentElement,part)}return part.update(data),()=>{MOUNTED.get(parentElement)?.destroy(),MOUNTED.
delete(parentElement),parentElement.replaceChildren()}};export{visitors_default as default};
