function isDark(element){let background=getComputedStyle(element).getPropertyValue("--st-background-color").trim(),[r,g,
b]=channels(background||"#ffffff");return .2126*r+.7152*g+.0722*b<128}function channels(colour){if(colour.startsWith("#")){let hex=colour.length===4?[...colour.slice(1)].map(c=>c+c).join(""):
colour.slice(1);return[0,2,4].map(at=>parseInt(hex.slice(at,at+2),16))}return(colour.match(/[\d.]+/g)??[255,255,255]).slice(
0,3).map(Number)}var follow_theme_default=({parentElement,setStateValue})=>{let ground=document.createElement("div");ground.style.cssText=
"height: 1px; background-color: var(--st-background-color); transition: background-color 1ms;",parentElement.append(ground);
let dark=isDark(ground);return ground.addEventListener("transitionend",()=>{isDark(ground)!==dark&&(dark=!dark,setStateValue(
"theme",dark?"dark":"light"))}),()=>ground.remove()};export{follow_theme_default as default};
